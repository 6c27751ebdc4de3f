#include "ops/build/tensors.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"

namespace mo::build {

Value shape_of(Rewriter& rw, const Value& x) { return rw.create(ops::ShapeOf{.output_type = ElementType::i64}, x); }

Value rank_of(Rewriter& rw, const Value& x) {
  if (const auto rank = type_of(x).rank()) return rw.scalar<std::int64_t>(*rank);
  return rw.create(ops::Squeeze{}, shape_of(rw, shape_of(rw, x)), rw.integers({0}));
}

Value dimension_of(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.create(ops::Gather{}, shape_of(rw, x), rw.scalar<std::int64_t>(axis), rw.scalar<std::int64_t>(0));
}

Value axes_from(Rewriter& rw, const Value& x, std::int64_t first) {
  if (const auto rank = type_of(x).rank()) {
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = first; axis < *rank; ++axis) axes.push_back(axis);
    return rw.integers(axes);
  }
  return rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(first), rank_of(rw, x),
                   rw.scalar<std::int64_t>(1));
}

Value ones(Rewriter& rw, const Value& count) {
  const Value length = rw.create(ops::Reshape{}, count, rw.integers({1}));
  return rw.create(ops::Broadcast{}, rw.scalar<std::int64_t>(1), length);
}

Value number_like(Rewriter& rw, const Value& x, double number) {
  const ElementType type = type_of(x).element_type;
  if (type != ElementType::dynamic)
    if (auto tensor = from_reals(type, {}, {number})) return rw.constant(*std::move(tensor));
  return rw.create(ops::ConvertLike{}, rw.scalar<double>(number), x);
}

Value as_type_of(Rewriter& rw, const Value& value, const Value& like) {
  const ElementType type = type_of(like).element_type;
  if (type != ElementType::dynamic) return as_type(rw, value, type);
  return rw.create(ops::ConvertLike{}, value, like);
}

Value as_type(Rewriter& rw, const Value& value, ElementType type) {
  if (type_of(value).element_type == type) return value;
  return rw.create(ops::Convert{.destination_type = type}, value);
}

Value along_axis(Rewriter& rw, const Value& vector, const Value& x, std::int64_t axis) {
  std::vector<std::int64_t> shape = {-1};
  const auto rank = type_of(x).rank();
  if (axis < 0 || rank) {
    const std::int64_t behind = axis < 0 ? -axis - 1 : *rank - axis - 1;
    constexpr std::int64_t kMostDimensions = 64;  // an axis beyond is wrong, and the op that reads the result says so
    shape.insert(shape.end(), static_cast<std::size_t>(std::clamp<std::int64_t>(behind, 0, kMostDimensions)), 1);
    return rw.fold(ops::Reshape{}, vector, rw.integers(shape));
  }
  // One number for a tensor of fewer dimensions broadcasts as it is.
  const Value difference = rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar<std::int64_t>(axis + 1));
  const Value behind = rw.create(ops::Maximum{}, difference, rw.scalar<std::int64_t>(0));
  const Value target = rw.create(ops::Concat{.axis = 0}, rw.integers(shape), ones(rw, behind));
  return rw.create(ops::Reshape{}, vector, target);
}

Value per_channel(Rewriter& rw, const Value& vector, const Value& x) {
  if (const auto rank = type_of(x).rank(); rank && *rank >= 2)
    return per_channel(rw, vector, static_cast<std::size_t>(*rank - 2));
  const Value spatial = rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar<std::int64_t>(2));
  const Value target = rw.create(ops::Concat{.axis = 0}, rw.integers({1, -1}), ones(rw, spatial));
  return rw.create(ops::Reshape{}, vector, target);
}

Value per_channel(Rewriter& rw, const Value& vector, std::size_t spatial_rank) {
  std::vector<std::int64_t> shape = {1, -1};
  shape.insert(shape.end(), spatial_rank, 1);
  return rw.create(ops::Reshape{}, vector, rw.integers(shape));
}

Value flattened(Rewriter& rw, const Value& x) { return rw.create(ops::Reshape{}, x, rw.integers({-1})); }

}  // namespace mo::build
