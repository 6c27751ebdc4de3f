#include "ops/reference/einsum.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ops/reference/compute.hpp"
#include "ops/reference/mat_mul.hpp"

namespace mo::ops::reference {
namespace {

using Labels = std::vector<int>;
using Sizes = std::map<int, std::int64_t>;

struct Part {
  Tensor values;  ///< of a compute type
  Labels labels;  ///< a label may occur twice: the diagonal is meant
};

/// Loops over a set of labels.
struct Loop {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;

  template <class Fn>
  void run(Fn&& fn) const {
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
    std::vector<std::int64_t> at(sizes.size());
    std::int64_t offset = 0;
    while (true) {
      fn(offset);
      std::size_t i = sizes.size();
      while (i-- > 0) {
        offset += strides[i];
        if (++at[i] < sizes[i]) break;
        offset -= strides[i] * sizes[i];
        at[i] = 0;
        if (i == 0) return;
      }
      if (sizes.empty()) return;
    }
  }
};

/// Distance between neighbours of each label. A dimension of 1 that stands for a larger label depends on nothing and is
/// left out.
std::map<int, std::int64_t> strides_of(const Part& part, const Sizes& sizes) {
  std::map<int, std::int64_t> strides;
  std::int64_t stride = 1;
  for (std::size_t i = part.labels.size(); i-- > 0;) {
    const std::int64_t size = part.values.shape()[i];
    if (size == sizes.at(part.labels[i])) strides[part.labels[i]] += stride;
    stride *= size;
  }
  return strides;
}

/// The part with exactly the labels `wanted` in that order (a label that it does not depend on gets its one element
/// repeated); the others are summed over.
Expected<Part> arrange(const Part& part, const Labels& wanted, const Sizes& sizes) {
  const auto strides = strides_of(part, sizes);
  Loop kept;
  Loop summed;
  Shape shape;
  for (const int label : wanted) {
    const auto at = strides.find(label);
    kept.sizes.push_back(sizes.at(label));
    kept.strides.push_back(at == strides.end() ? 0 : at->second);
    shape.push_back(sizes.at(label));
  }
  for (const auto& [label, stride] : strides)
    if (std::find(wanted.begin(), wanted.end(), label) == wanted.end()) {
      summed.sizes.push_back(sizes.at(label));
      summed.strides.push_back(stride);
    }
  MO_ASSIGN(Tensor values, Tensor::allocate(part.values.element_type(), shape));
  visit_compute(part.values.element_type(), [&]<class C>(std::type_identity<C>) {
    const C* in = part.values.values<C>().data();
    C* out = values.mutable_values<C>().data();
    kept.run([&](std::int64_t base) {
      C sum = 0;
      summed.run([&](std::int64_t offset) { sum += in[base + offset]; });
      *out++ = sum;
    });
  });
  return Part{std::move(values), wanted};
}

Labels joined(Labels a, const Labels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Shape shape_of(const Labels& labels, const Sizes& sizes) {
  Shape shape;
  for (const int label : labels) shape.push_back(sizes.at(label));
  return shape;
}

/// Product of two parts, summed over the labels that are not in `needed`: a batched matrix product.
Expected<Part> contract(const Part& a, const Part& b, const std::set<int>& needed, const Sizes& sizes) {
  const auto in_a = strides_of(a, sizes);
  const auto in_b = strides_of(b, sizes);
  Labels batch;
  Labels rows;
  Labels depth;
  Labels columns;
  for (const auto& [label, stride] : in_a) {
    const bool shared = in_b.contains(label);
    if (needed.contains(label))
      (shared ? batch : rows).push_back(label);
    else if (shared)
      depth.push_back(label);
  }
  for (const auto& [label, stride] : in_b)
    if (!in_a.contains(label) && needed.contains(label)) columns.push_back(label);
  MO_ASSIGN(const Part left, arrange(a, joined(joined(batch, rows), depth), sizes));
  MO_ASSIGN(const Part right, arrange(b, joined(joined(batch, depth), columns), sizes));
  const Labels labels = joined(joined(batch, rows), columns);
  MO_ASSIGN(Tensor values, Tensor::allocate(a.values.element_type(), shape_of(labels, sizes)));
  if (values.element_count() > 0 && left.values.element_count() > 0 && right.values.element_count() > 0) {
    const auto count = [&](const Labels& of) { return element_count(shape_of(of, sizes)).value_or(0); };
    MO_ASSIGN(Tensor product, Tensor::allocate(a.values.element_type(), {count(batch), count(rows), count(columns)}));
    MO_TRY(mat_mul(left.values.reshaped({count(batch), count(rows), count(depth)}),
                   right.values.reshaped({count(batch), count(depth), count(columns)}), product, false, false));
    values = product.reshaped(values.shape());
  }
  return Part{std::move(values), labels};
}

}  // namespace

Expected<void> einsum(const std::vector<Tensor>& inputs, const std::vector<Labels>& input_labels,
                      const Labels& output_labels, Tensor& out) {
  Sizes sizes;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t k = 0; k < input_labels[i].size(); ++k) {
      const std::int64_t size = inputs[i].shape()[k];
      const auto [at, fresh] = sizes.emplace(input_labels[i][k], size);
      if (!fresh && at->second == 1) at->second = size;
    }
  MO_ASSIGN(Tensor first, to_compute(inputs[0]));
  Part part{std::move(first), input_labels[0]};
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    std::set<int> needed(output_labels.begin(), output_labels.end());
    for (std::size_t later = i + 1; later < inputs.size(); ++later)
      needed.insert(input_labels[later].begin(), input_labels[later].end());
    MO_ASSIGN(Tensor next, to_compute(inputs[i]));
    MO_ASSIGN(part, contract(part, Part{std::move(next), input_labels[i]}, needed, sizes));
  }
  MO_ASSIGN(const Part result, arrange(part, output_labels, sizes));
  return compute_into(out, [&](Tensor& target) {
    visit_compute(target.element_type(), [&]<class C>(std::type_identity<C>) {
      std::ranges::copy(result.values.values<C>(), target.mutable_values<C>().begin());
    });
    return Expected<void>();
  });
}

}  // namespace mo::ops::reference
