#pragma once

#include <algorithm>
#include <optional>

#include "core/pass/rewriter.hpp"
#include "core/tensor/convert.hpp"
#include "ops/build/non_negative.hpp"
#include "ops/build/tensors.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"

namespace mo::transformations {

/// Select(i < 0, i + sizes, i): what `indices_from_the_front` makes.
inline bool are_counted_from_the_front(const Value& indices) {
  const Node select = indices.node();
  if (!select.is<ops::Select>()) return false;
  const Node is_below = select.input(0).node();
  const Node sum = select.input(1).node();
  const Value& counted = select.input(2);
  if (!is_below.is<ops::Less>() || is_below.input(0) != counted || single_integer_of(is_below.input(1)) != 0)
    return false;
  return sum.is<ops::Add>() && sum.input(0) == counted;
}

/// The sizes of the `count` dimensions of `data` after the first `batch` ones, of the element type `type`: constants as
/// far as they are known.
inline Value sizes_behind(Rewriter& rw, const Value& data, std::int64_t batch, std::int64_t count, ElementType type) {
  const PartialShape& shape = data.type().shape;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = batch; i < batch + count; ++i) {
    places.push_back(i);
    const auto place = static_cast<std::size_t>(i);
    if (shape.has_rank() && place < shape.size() && shape[place].is_known()) sizes.push_back(shape[place].value());
  }
  if (sizes.size() == places.size())
    if (auto known = from_integers(type, {count}, sizes)) return rw.constant(*std::move(known));
  const Value picked =
      rw.create(ops::v1::Gather{}, build::shape_of(rw, data), rw.integers(places), rw.scalar<std::int64_t>(0));
  return build::as_type(rw, picked, type);
}

/// `indices` into dimensions of `sizes`, with negative ones counted from the front: constants at once when the sizes
/// are known, else Select(i < 0, i + sizes, i).
inline Value counted_from_the_front(Rewriter& rw, const Value& indices, const Value& sizes) {
  const Value zero = rw.scalar_like(indices, 0);
  if (indices.node().is<Const>() && sizes.node().is<Const>())
    return rw.fold(ops::Select{}, rw.fold(ops::Less{}, indices, zero), rw.fold(ops::Add{}, indices, sizes), indices);
  return rw.create(ops::Select{}, rw.create(ops::Less{}, indices, zero), rw.create(ops::Add{}, indices, sizes),
                   indices);
}

inline bool may_be_negative(const Value& indices) {
  const auto elements = indices.type().shape.element_count();
  if (elements == 0 || build::is_not_negative(indices) || are_counted_from_the_front(indices)) return false;
  return !elements || !none_negative(constant_integers_of(indices, *elements));
}

/// Indices of GatherND and ScatterNDUpdate into the dimensions of `data` after the first `batch` ones, with negative
/// ones counted from the front. Empty when no index can be negative, or how many numbers an index has is not known.
inline Value indices_from_the_front(Rewriter& rw, const Value& indices, const Value& data, std::int64_t batch) {
  const PartialShape& shape = indices.type().shape;
  if (!shape.has_rank() || shape.size() == 0 || !shape[shape.size() - 1].is_known() || !may_be_negative(indices))
    return {};
  const std::int64_t count = shape[shape.size() - 1].value();
  if (count <= 0) return {};
  return counted_from_the_front(rw, indices, sizes_behind(rw, data, batch, count, indices.type().element_type));
}

/// Indices of GatherElements and ScatterElementsUpdate into the dimension `axis` of `data`, with negative ones counted
/// from the front. Empty when no index can be negative, or the axis or the number of dimensions is not known.
inline Value element_indices_from_the_front(Rewriter& rw, const Value& indices, const Value& data,
                                            std::optional<std::int64_t> axis) {
  const PartialShape& shape = data.type().shape;
  if (!axis || !shape.has_rank() || !may_be_negative(indices)) return {};
  if (*axis < 0) *axis += static_cast<std::int64_t>(shape.size());
  return counted_from_the_front(rw, indices, sizes_behind(rw, data, *axis, 1, indices.type().element_type));
}

}  // namespace mo::transformations
