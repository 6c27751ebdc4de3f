#include "ops/reference/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ops/reference/broadcast.hpp"
#include "ops/reference/compute.hpp"
#include "ops/reference/mat_mul.hpp"

namespace mo::ops::reference {
namespace {

constexpr double kNoWeight = -std::numeric_limits<double>::infinity();

/// Scaled first, as it is spelled out with other ops: so both round alike.
Expected<Tensor> scaled(const Tensor& query, double scale) {
  MO_ASSIGN(Tensor made, Tensor::allocate(query.element_type(), query.shape()));
  visit_compute(query.element_type(), [&]<class C>(std::type_identity<C>) {
    const auto from = query.values<C>();
    std::transform(from.begin(), from.end(), made.mutable_values<C>().begin(),
                   [factor = static_cast<C>(scale)](C number) { return number * factor; });
  });
  return made;
}

template <class C>
void mask_scores(const Tensor& products, const Tensor* mask, Tensor& scores) {
  const auto no_weight = static_cast<C>(kNoWeight);
  const C* const from = products.values<C>().data();
  C* const to = scores.mutable_values<C>().data();
  if (!mask)
    std::copy(from, from + products.element_count(), to);
  else if (mask->element_type() == ElementType::boolean)
    broadcast_binary(from, products.shape(), mask->values<bool>().data(), mask->shape(), to, scores.shape(),
                     [&](C product, bool counts) { return counts ? product : no_weight; });
  else
    broadcast_binary(from, products.shape(), mask->values<C>().data(), mask->shape(), to, scores.shape(),
                     [&](C product, C added) { return product + added; });
}

template <class C>
void hide_later_keys(Tensor& scores) {
  const std::int64_t keys = scores.shape().back();
  const std::int64_t queries = scores.shape()[scores.shape().size() - 2];
  C* row = scores.mutable_values<C>().data();
  for (std::int64_t i = 0; i < scores.element_count() / keys; ++i, row += keys)
    for (std::int64_t key = i % queries + 1; key < keys; ++key) row[key] = static_cast<C>(kNoWeight);
}

/// The score of the sink for each row of `scores`; empty without one.
template <class C>
std::vector<C> sinks_of_rows(const Tensor* sink, const Shape& scores) {
  if (!sink) return {};
  Shape rows = scores;
  rows.back() = 1;
  std::vector<C> sinks(static_cast<std::size_t>(element_count(rows).value_or(0)));
  const C* const given = sink->values<C>().data();
  const BroadcastPlan plan = plan_broadcast(rows, {&sink->shape()});
  const std::int64_t step = plan.advances(0) ? 1 : 0;
  for_each_row<1>(plan, [&](std::int64_t start, const std::array<std::int64_t, 1>& at, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) sinks[static_cast<std::size_t>(start + i)] = given[at[0] + i * step];
  });
  return sinks;
}

/// Scores become weights.
template <class C>
void soft_max_rows(Tensor& scores, const std::vector<C>& sinks) {
  const std::int64_t keys = scores.shape().back();
  C* row = scores.mutable_values<C>().data();
  for (std::int64_t i = 0; i < scores.element_count() / keys; ++i, row += keys) {
    C largest = *std::max_element(row, row + keys);
    C sum = 0;
    if (!sinks.empty()) {
      const C sink = sinks[static_cast<std::size_t>(i)];
      largest = std::max(largest, sink);
      sum = std::exp(sink - largest);
    }
    for (std::int64_t key = 0; key < keys; ++key) sum += row[key] = std::exp(row[key] - largest);
    for (std::int64_t key = 0; key < keys; ++key) row[key] /= sum;
  }
}

/// The mask broadcasts with the products.
Shape shape_of_scores(const Shape& products, const Tensor* mask) {
  if (!mask) return products;
  Shape shape = products;
  const Shape& other = mask->shape();
  if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
  for (std::size_t i = 0; i < other.size(); ++i) {
    std::int64_t& size = shape[shape.size() - other.size() + i];
    if (size == 1) size = other[i];
  }
  return shape;
}

}  // namespace

Expected<void> attention(const Attention& a, Tensor& out) {
  if (out.element_count() == 0) return {};
  MO_ASSIGN(Tensor query, to_compute(a.query));
  MO_ASSIGN(const Tensor key, to_compute(a.key));
  MO_ASSIGN(const Tensor value, to_compute(a.value));
  Tensor mask;
  const bool is_masked = a.mask && !a.causal;
  if (is_masked && a.mask->element_type() != ElementType::boolean) { MO_ASSIGN(mask, to_compute(*a.mask)); }
  Tensor sink;
  if (a.sink) { MO_ASSIGN(sink, to_compute(*a.sink)); }
  const Tensor* const used_mask = !is_masked ? nullptr : mask.empty() ? a.mask : &mask;
  const auto length = static_cast<double>(std::max<std::int64_t>(query.shape().back(), 1));
  MO_ASSIGN(query, scaled(query, a.scale.value_or(1 / std::sqrt(length))));

  const MatMulGeometry g = mat_mul_geometry(query.shape(), key.shape(), false, true);
  Shape product_shape = g.batch;
  product_shape.insert(product_shape.end(), {g.rows, g.columns});
  MO_ASSIGN(Tensor products, Tensor::allocate(query.element_type(), product_shape));
  MO_TRY(mat_mul(query, key, products, false, true));
  MO_ASSIGN(Tensor scores, Tensor::allocate(query.element_type(), shape_of_scores(product_shape, used_mask)));
  visit_compute(query.element_type(), [&]<class C>(std::type_identity<C>) {
    if constexpr (std::is_floating_point_v<C>) {
      if (scores.element_count() == 0) return;
      mask_scores<C>(products, used_mask, scores);
      if (a.causal) hide_later_keys<C>(scores);
      soft_max_rows<C>(scores, sinks_of_rows<C>(a.sink ? &sink : nullptr, scores.shape()));
    }
  });
  return compute_into(out, [&](Tensor& target) { return mat_mul(scores, value, target, false, false); });
}

}  // namespace mo::ops::reference
