#include <limits>

#include "extensions/front/caffe/layer_inputs.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/slice.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"

namespace mo::front::caffe {
namespace {

constexpr std::int64_t kBehindTheLast = std::numeric_limits<std::int64_t>::max();

/// The elements of a shape from `begin` on, up to `end`; negative ones count from the back.
Value part(Rewriter& rw, const Value& shape, std::int64_t begin, std::int64_t end) { return slice_along(rw, shape, 0, begin, end); }

/// The axes from `axis` up to and including `end` become one.
Replacement flatten(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const std::int64_t axis = integer_of(node, "axis", 1);
  const std::int64_t end = integer_of(node, "end_axis", -1);
  if (axis >= 0 && end == -1) {
    Integers shape(static_cast<std::size_t>(axis), 0);
    shape.push_back(-1);
    return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
  }
  const Value shape = shape_of(rw, x);
  std::vector<Value> pieces;
  if (axis != 0) pieces.push_back(part(rw, shape, 0, axis));
  pieces.push_back(rw.integers({-1}));
  if (end != -1) pieces.push_back(part(rw, shape, end + 1, kBehindTheLast));
  return rw.create(ops::Reshape{}, x, join(rw, pieces));
}

/// The axes from `first` on, `count` of them (-1: all), become `dims`, in which 0 copies the dimension at its place.
///
/// Caffe Reshape: a negative axis is the place behind that axis, -1 being behind the last one.
Replacement reshape(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Integers dims = list_of(node, "dims");
  const std::int64_t axis = integer_of(node, "axis");
  const std::int64_t count = integer_of(node, "num_axes", -1);
  if (axis >= 0 && count == -1) {
    Integers shape(static_cast<std::size_t>(axis), 0);
    shape.insert(shape.end(), dims.begin(), dims.end());
    return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
  }
  // From here on a negative place counts from the back, and 0 is the end: behind the last axis.
  const bool from_the_back = axis < 0;
  const std::int64_t first = from_the_back ? axis + 1 : axis;
  if (from_the_back && (first + std::max<std::int64_t>(count, 0) > 0))
    return node.error("MO-CAFFE-0104", "reshape_param.num_axes is {}, but there are {} axes from {} on", count, -first, axis)
        .hint("correct the prototxt");
  const Value shape = shape_of(rw, x);
  const auto place_end = [&](std::int64_t place) { return from_the_back && place == 0 ? kBehindTheLast : place; };
  std::vector<Value> pieces;
  if (from_the_back || first > 0) pieces.push_back(part(rw, shape, 0, place_end(first)));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t place = first + static_cast<std::int64_t>(i);
    if (dims[i] != 0) {
      pieces.push_back(rw.integers({dims[i]}));
    } else if (from_the_back && place >= 0) {
      return node.error("MO-CAFFE-0104", "number {} of reshape_param.shape copies a dimension behind the last one", i).hint("correct the prototxt");
    } else {
      pieces.push_back(part(rw, shape, place, place_end(place + 1)));
    }
  }
  if (count >= 0 && !(from_the_back && first + count == 0)) pieces.push_back(part(rw, shape, first + count, kBehindTheLast));
  if (pieces.empty()) pieces.push_back(rw.integers({}));
  return rw.create(ops::Reshape{}, x, join(rw, pieces));
}

/// The listed axes first, then the others in their order.
Replacement permute(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  Integers order = list_of(node, "order");
  const std::int64_t known = order.empty() ? 0 : *std::max_element(order.begin(), order.end()) + 1;
  for (std::int64_t axis = 0; axis < known; ++axis)
    if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
  if (const auto rank = layer_rank(x)) {
    for (std::int64_t axis = known; axis < *rank; ++axis) order.push_back(axis);
    return rw.create(ops::Transpose{}, x, rw.integers(order));
  }
  const Value others = layer_axes_from(rw, x, known);
  return rw.create(ops::Transpose{}, x, order.empty() ? others : join(rw, {rw.integers(order), others}));
}

/// Crop(x, like) -> x[offset : offset + size of `like`] along each axis from `axis` on
Replacement crop(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const std::int64_t axis = integer_of(node, "axis", 2);
  const Integers offsets = list_of(node, "offsets");
  const Integers sizes = list_of(node, "sizes");
  const bool by_reference = bottom_count(node) > 1;
  std::size_t count = by_reference ? offsets.size() : sizes.size();
  if (count <= 1 && by_reference) count = axis < 0 ? static_cast<std::size_t>(-axis) : 0;
  Value axes;
  if (count > 0) {
    Integers numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = axis + static_cast<std::int64_t>(i);
    axes = rw.integers(numbers);
  } else {
    axes = layer_axes_from(rw, x, axis);
  }
  Integers begins = offsets;
  if (begins.empty()) begins.push_back(0);
  if (const auto known = known_integers(axes)) {
    if (begins.size() == 1) begins.assign(known->size(), std::int64_t{begins.front()});
    // Caffe takes the list for the axes from `axis` on, and all of them.
    if (begins.size() != known->size())
      return node.error("MO-CAFFE-0107", "crop_param has {} offsets for {} axes", begins.size(), known->size())
          .hint("give one offset, or one for each axis");
  }
  Value begin = rw.integers(begins);
  if (!known_integers(axes)) begin = repeat(rw, begin, shape_of(rw, axes));
  const Value size = by_reference ? rw.create(ops::Gather{}, shape_of(rw, node.input(1)), axes, rw.scalar<std::int64_t>(0)) : rw.integers(sizes);
  const bool starts_at_zero = std::all_of(begins.begin(), begins.end(), [](std::int64_t b) { return b == 0; });
  const Value end = starts_at_zero ? size : rw.create(ops::Add{}, size, begin);
  const Value step = repeat(rw, rw.scalar<std::int64_t>(1), shape_of(rw, axes));
  const auto known = known_integers(axes);
  return rw.create(ops::Slice{}, x, begin, end, known ? rw.integers(Integers(known->size(), 1)) : step, axes);
}

/// `tiles` copies along `axis`. IR Tile: the shorter one of shape and repeats is filled with 1 in front.
Replacement tile(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const std::int64_t axis = integer_of(node, "axis", 1);
  const std::int64_t tiles = integer_of(node, "tiles", 1);
  const auto rank = layer_rank(x);
  if (axis >= 0 && !rank) {
    const Value behind = rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar(axis + 1));
    return rw.create(ops::Tile{}, x, join(rw, {rw.integers({tiles}), ones(rw, behind)}));
  }
  const std::int64_t behind = axis < 0 ? -axis - 1 : *rank - axis - 1;
  if (behind < 0 || (rank && behind >= *rank)) return node.error("MO-CAFFE-0104", "tile_param.axis is {}", axis).hint("it is an axis of the bottom");
  Integers repeats(static_cast<std::size_t>(behind) + 1, 1);
  repeats.front() = tiles;
  return rw.create(ops::Tile{}, x, rw.integers(repeats));
}

/// Samples by their numbers, which Caffe casts to integers.
Replacement batch_reindex(const Node& node, Rewriter& rw) {
  const Value index = rw.create(ops::Convert{.destination_type = ElementType::i64}, node.input(1));
  return rw.create(ops::Gather{}, node.input(0), index, rw.scalar<std::int64_t>(0));
}

}  // namespace

void register_shape(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeFlatten").replace_op(flatten));
  passes.add(front_replacement_op("CaffeReshape").replace_op(reshape));
  passes.add(front_replacement_op("CaffePermute").replace_op(permute));
  passes.add(front_replacement_op("CaffeCrop").replace_op(crop));
  passes.add(front_replacement_op("CaffeTile").replace_op(tile));
  passes.add(front_replacement_op("CaffeBatchReindex").replace_op(batch_reindex));
  passes.add(front_replacement_op("CaffeParameter").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::Identity{}, node.input(0));
  }));
}

}  // namespace mo::front::caffe
