#include "transformations/decompositions/support/contraction.hpp"

#include <algorithm>

#include "ops/build/lengths.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

using ops::EinsumLabels;

bool has(const EinsumLabels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

std::int64_t place_of(const EinsumLabels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}

/// Those of `labels` that are in `others`, or (`in` false) that are not.
EinsumLabels chosen(const EinsumLabels& labels, const EinsumLabels& others, bool in) {
  EinsumLabels made;
  for (const int label : labels)
    if (has(others, label) == in) made.push_back(label);
  return made;
}

EinsumLabels joined(std::initializer_list<EinsumLabels> lists) {
  EinsumLabels all;
  for (const EinsumLabels& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The dimension of a label: a number where it is known, otherwise computed.
struct Length {
  std::optional<std::int64_t> known;
  Value vector;
};

Length length_of(Rewriter& rw, const LabelledTensor& tensor, int label) {
  const std::int64_t place = place_of(tensor.labels, label);
  const PartialShape& shape = tensor.value.type().shape;
  if (shape.has_rank() && shape[static_cast<std::size_t>(place)].is_known())
    return {shape[static_cast<std::size_t>(place)].value(), {}};
  return {std::nullopt, build::length_along(rw, tensor.value, place)};
}

Length product(Rewriter& rw, const std::vector<Length>& lengths) {
  Length all{1, {}};
  for (const Length& length : lengths) {
    if (all.known && length.known) {
      all.known = *all.known * *length.known;
      continue;
    }
    const auto vector = [&](const Length& one) { return one.known ? rw.integers({*one.known}) : one.vector; };
    all = all.known == 1 ? length : Length{std::nullopt, rw.create(ops::Multiply{}, vector(all), vector(length))};
  }
  return all;
}

Value with_lengths(Rewriter& rw, const Value& x, const std::vector<Length>& lengths) {
  std::vector<std::int64_t> numbers;
  std::vector<Value> vectors;
  std::int64_t computed = 0;
  for (const Length& length : lengths) {
    numbers.push_back(length.known.value_or(-1));
    computed += length.known ? 0 : 1;
    vectors.push_back(length.known ? rw.integers({*length.known}) : length.vector);
  }
  const bool empty = std::find(numbers.begin(), numbers.end(), 0) != numbers.end();
  if (computed == 0 || (computed == 1 && !empty)) return reshaped_to(rw, x, numbers);
  return rw.create(ops::Reshape{.special_zero = false}, x, build::join(rw, vectors));
}

/// The labels of two tensors by their part in a product.
struct Parts {
  EinsumLabels batch;       ///< in both, kept
  EinsumLabels contracted;  ///< in both, summed over
  EinsumLabels rows;        ///< of the first only
  EinsumLabels columns;     ///< of the second only
};

/// [batch…, first group, second group], each group as one dimension.
Value as_matrices(Rewriter& rw, const LabelledTensor& tensor, const EinsumLabels& batch, const EinsumLabels& first,
                  const EinsumLabels& second) {
  const LabelledTensor ordered = in_order(rw, tensor, joined({batch, first, second}));
  if (first.size() == 1 && second.size() == 1) return ordered.value;
  std::vector<Length> lengths;
  for (const int label : batch) lengths.push_back(length_of(rw, ordered, label));
  for (const EinsumLabels* group : {&first, &second}) {
    std::vector<Length> own;
    for (const int label : *group) own.push_back(length_of(rw, ordered, label));
    lengths.push_back(product(rw, own));
  }
  return with_lengths(rw, ordered.value, lengths);
}

LabelledTensor matrix_product(Rewriter& rw, const LabelledTensor& a, const LabelledTensor& b, const Parts& parts) {
  const Value left = as_matrices(rw, a, parts.batch, parts.rows, parts.contracted);
  const Value right = as_matrices(rw, b, parts.batch, parts.contracted, parts.columns);
  const LabelledTensor made{rw.create(ops::MatMul{}, left, right), joined({parts.batch, parts.rows, parts.columns})};
  if (parts.rows.size() == 1 && parts.columns.size() == 1) return made;
  std::vector<Length> lengths;
  // the product may stretch a dimension of 1
  for (const int label : parts.batch) lengths.push_back(length_of(rw, made, label));
  for (const int label : parts.rows) lengths.push_back(length_of(rw, a, label));
  for (const int label : parts.columns) lengths.push_back(length_of(rw, b, label));
  return {with_lengths(rw, made.value, lengths), made.labels};
}

/// With dimensions of 1 for the labels that the tensor lacks.
Value spread(Rewriter& rw, const LabelledTensor& tensor, const EinsumLabels& labels) {
  const Value ordered = in_order(rw, tensor, chosen(labels, tensor.labels, true)).value;
  std::vector<std::int64_t> missing;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!has(tensor.labels, labels[i])) missing.push_back(static_cast<std::int64_t>(i));
  return missing.empty() ? ordered : rw.create(ops::Unsqueeze{}, ordered, rw.integers(missing));
}

}  // namespace

LabelledTensor in_order(Rewriter& rw, LabelledTensor tensor, const EinsumLabels& labels) {
  if (tensor.labels == labels) return tensor;
  std::vector<std::int64_t> order;
  for (const int label : labels) order.push_back(place_of(tensor.labels, label));
  return {transposed_by(rw, tensor.value, order), labels};
}

LabelledTensor summed_to(Rewriter& rw, LabelledTensor tensor, const EinsumLabels& kept) {
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < tensor.labels.size(); ++i)
    if (!has(kept, tensor.labels[i])) axes.push_back(static_cast<std::int64_t>(i));
  if (axes.empty()) return tensor;
  return {rw.create(ops::ReduceSum{.keep_dims = false}, tensor.value, rw.integers(axes)),
          chosen(tensor.labels, kept, true)};
}

LabelledTensor diagonal(Rewriter& rw, LabelledTensor tensor) {
  for (std::size_t i = 0; i < tensor.labels.size(); ++i) {
    const auto again =
        std::find(tensor.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, tensor.labels.end(), tensor.labels[i]);
    if (again == tensor.labels.end()) continue;
    const auto shape = tensor.value.type().shape.to_shape();
    if (!shape) return {};
    // Both dimensions in front, as one: the diagonal is each (n + 1)-th of its places.
    const std::size_t k = static_cast<std::size_t>(again - tensor.labels.begin());
    std::vector<std::int64_t> order{static_cast<std::int64_t>(i), static_cast<std::int64_t>(k)};
    EinsumLabels labels{tensor.labels[i]};
    Shape flat{(*shape)[i] * (*shape)[k]};
    for (std::size_t d = 0; d < shape->size(); ++d) {
      if (d == i || d == k) continue;
      order.push_back(static_cast<std::int64_t>(d));
      labels.push_back(tensor.labels[d]);
      flat.push_back((*shape)[d]);
    }
    std::vector<std::int64_t> places;
    for (std::int64_t n = 0; n < (*shape)[i]; ++n) places.push_back(n * ((*shape)[i] + 1));
    const Value flattened = reshaped_to(rw, transposed_by(rw, tensor.value, order), flat);
    const Value picked = rw.create(ops::v7::Gather{}, flattened, rw.integers(places), rw.scalar<std::int64_t>(0));
    return diagonal(rw, {picked, labels});
  }
  return tensor;
}

LabelledTensor contracted(Rewriter& rw, LabelledTensor a, LabelledTensor b, const EinsumLabels& kept) {
  a = summed_to(rw, a, joined({b.labels, kept}));
  b = summed_to(rw, b, joined({a.labels, kept}));
  const EinsumLabels common = chosen(a.labels, b.labels, true);
  const Parts parts{chosen(common, kept, true), chosen(common, kept, false), chosen(a.labels, b.labels, false),
                    chosen(b.labels, a.labels, false)};
  if (!parts.contracted.empty()) return matrix_product(rw, a, b, parts);
  const EinsumLabels all = joined({parts.batch, parts.rows, parts.columns});
  return {rw.create(ops::Multiply{}, spread(rw, a, all), spread(rw, b, all)), all};
}

}  // namespace mo::transformations
