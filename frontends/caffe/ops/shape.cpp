#include <algorithm>
#include <limits>
#include <numeric>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"

namespace mo::caffe {
namespace {

/// More axes than any tensor has; keeps what is made for each axis small.
constexpr std::int64_t kMostAxes = 64;
constexpr std::int64_t kBehindTheLast = std::numeric_limits<std::int64_t>::max();

Expected<void> expect_movement(const Layer& layer) {
  MO_TRY(expect_bottoms(layer, 1));
  return expect_tops(layer, 1);
}

/// Error MO-CAFFE-0104 for an axis that no tensor has.
Expected<std::int64_t> axis_of(const Layer& layer, std::string_view path, std::int64_t fallback) {
  const std::int64_t axis = layer.integer(path, fallback);
  if (axis >= -kMostAxes && axis <= kMostAxes) return axis;
  return bad_value(layer, path, axis, "an axis of the bottom; a negative one counts from the back");
}

/// The elements of a shape from `begin` on, up to `end`; negative ones count from the back.
Value part(Rewriter& rw, const Value& shape, std::int64_t begin, std::int64_t end) {
  return slice_along(rw, shape, 0, begin, end);
}

/// The axes from `axis` up to and including `end_axis` become one.
Replacement flatten_bottom(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "flatten_param.axis", 1));
  MO_ASSIGN(const std::int64_t end, axis_of(layer, "flatten_param.end_axis", -1));
  if ((axis >= 0) == (end >= 0) && end < axis)
    return bad_value(layer, "flatten_param.end_axis", end, "not before flatten_param.axis");
  const Value x = layer.bottom(0);
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

/// The axes from `axis` on, `num_axes` of them (-1: all), become `shape`, in which 0 copies the dimension at its place.
/// A negative axis is the place after that axis; -1 is after the last one.
Replacement reshape(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "reshape_param.axis", 0));
  MO_ASSIGN(const std::int64_t count, axis_of(layer, "reshape_param.num_axes", -1));
  if (count < -1)
    return bad_value(layer, "reshape_param.num_axes", count, "the number of axes, or -1 for all from `axis` on");
  const Integers dims = layer.integers("reshape_param.shape.dim");
  if (static_cast<std::int64_t>(dims.size()) > kMostAxes)
    return bad_value(layer, "the length of reshape_param.shape", dims.size(), "at most 64");
  for (const std::int64_t dim : dims)
    if (dim < -1)
      return bad_value(layer, "reshape_param.shape.dim", dim,
                       "a size, 0 to copy the dimension, or -1 for what is left");
  if (std::count(dims.begin(), dims.end(), -1) > 1)
    return layer.error("MO-CAFFE-0103", "reshape_param.shape has more than one -1")
        .hint("only one dimension can follow from the others");
  const Value x = layer.bottom(0);
  if (axis >= 0 && count == -1) {
    Integers shape(static_cast<std::size_t>(axis), 0);
    shape.insert(shape.end(), dims.begin(), dims.end());
    return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
  }
  // From here on a negative place counts from the back, and 0 is the end: after the last axis.
  const bool from_the_back = axis < 0;
  const std::int64_t first = from_the_back ? axis + 1 : axis;
  if (from_the_back && (first + std::max<std::int64_t>(count, 0) > 0))
    return layer
        .error("MO-CAFFE-0104", "reshape_param.num_axes is {}, but there are {} axes from {} on", count, -first, axis)
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
      return layer.error("MO-CAFFE-0104", "value {} of reshape_param.shape copies a dimension after the last one", i)
          .hint("correct the prototxt");
    } else {
      pieces.push_back(part(rw, shape, place, place_end(place + 1)));
    }
  }
  if (count >= 0 && !(from_the_back && first + count == 0))
    pieces.push_back(part(rw, shape, first + count, kBehindTheLast));
  if (pieces.empty()) pieces.push_back(rw.integers({}));
  return rw.create(ops::Reshape{}, x, join(rw, pieces));
}

/// SSD Permute: the listed axes first, then the others in their order.
Replacement permute(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  Integers order = layer.integers("permute_param.order");
  for (auto it = order.begin(); it != order.end(); ++it) {
    if (*it < 0 || *it >= kMostAxes)
      return bad_value(layer, "permute_param.order", *it, "an axis of the bottom, counted from the front");
    if (std::find(order.begin(), it, *it) != it)
      return layer.error("MO-CAFFE-0103", "axis {} is listed twice in permute_param.order", *it)
          .hint("list each axis once");
  }
  const Value x = layer.bottom(0);
  const std::int64_t listed = order.empty() ? 0 : *std::max_element(order.begin(), order.end()) + 1;
  for (std::int64_t axis = 0; axis < listed; ++axis)
    if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
  if (const auto rank = type_of(x).rank()) {
    for (std::int64_t axis = listed; axis < *rank; ++axis) order.push_back(axis);
    return rw.create(ops::Transpose{}, x, rw.integers(order));
  }
  const Value others = axes_from(rw, x, listed);
  return rw.create(ops::Transpose{}, x, order.empty() ? others : join(rw, {rw.integers(order), others}));
}

/// The axes that Crop cuts: those from `axis` on, as many as `listed` says; all of them for 0.
Value cropped_axes(Rewriter& rw, const Value& x, std::int64_t axis, std::size_t listed) {
  if (listed == 0) return axes_from(rw, x, axis);
  Integers axes(listed);
  std::iota(axes.begin(), axes.end(), axis);
  return rw.integers(axes);
}

/// x[offset : offset + size] along each axis from `axis` on. Offsets: none, one for all axes, or one for each. Sizes
/// are those of the second bottom, or `dimsize` without one.
Replacement crop(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "crop_param.axis", 2));
  const Integers offsets = layer.integers("crop_param.offset");
  const Integers sizes = layer.integers("crop_param.dimsize");
  for (const std::int64_t offset : offsets) MO_TRY(expect_size(layer, "crop_param.offset", offset, 0));
  for (const std::int64_t size : sizes) MO_TRY(expect_size(layer, "crop_param.dimsize", size, 1));
  if (layer.bottoms() == 1 && sizes.empty())
    return layer.error("MO-CAFFE-0103", "the size to crop to is not defined").hint("give a second bottom of that size");
  const std::size_t listed = layer.bottoms() == 1 ? sizes.size() : offsets.size();
  if (layer.bottoms() == 1 && offsets.size() > 1 && offsets.size() != sizes.size())
    return layer.error("MO-CAFFE-0103", "crop_param has {} offsets for {} sizes", offsets.size(), sizes.size())
        .hint("give one offset, or one for each size");
  if (listed > static_cast<std::size_t>(kMostAxes))
    return bad_value(layer, "the number of offsets or sizes in crop_param", listed, "at most 64");
  if (listed > 1 && axis < 0 && listed != static_cast<std::size_t>(-axis))
    return layer.error("MO-CAFFE-0103", "crop_param has {} values for the {} axes from {} on", listed, -axis, axis)
        .hint("give one number, or one for each axis");
  const Value x = layer.bottom(0);
  const bool by_reference = layer.bottoms() > 1;
  const std::size_t counted =
      listed <= 1 && by_reference ? static_cast<std::size_t>(std::max<std::int64_t>(-axis, 0)) : listed;
  const Value axes = cropped_axes(rw, x, axis, counted);
  const auto known_axes = integers_of(axes);
  Integers begins = offsets.empty() ? Integers{0} : offsets;
  if (known_axes && begins.size() == 1) begins.assign(known_axes->size(), std::int64_t{begins.front()});
  // Caffe takes the list for the axes from `axis` on, and all of them.
  if (known_axes && begins.size() != known_axes->size())
    return layer.error("MO-CAFFE-0107", "crop_param has {} offsets for {} axes", begins.size(), known_axes->size())
        .hint("give one offset, or one for each axis");
  const Value begin = known_axes ? rw.integers(begins) : repeat(rw, rw.integers(begins), shape_of(rw, axes));
  const Value size = by_reference
                         ? rw.create(ops::Gather{}, shape_of(rw, layer.bottom(1)), axes, rw.scalar<std::int64_t>(0))
                         : rw.integers(sizes);
  const bool starts_at_zero =
      std::all_of(begins.begin(), begins.end(), [](std::int64_t number) { return number == 0; });
  const Value end = starts_at_zero ? size : rw.create(ops::Add{}, size, begin);
  const Value step = known_axes ? rw.integers(Integers(known_axes->size(), 1))
                                : repeat(rw, rw.scalar<std::int64_t>(1), shape_of(rw, axes));
  return rw.create(ops::Slice{}, x, begin, end, step, axes);
}

/// `tiles` copies along `axis`. IR Tile: the shorter one of shape and repeats is filled with 1 in front.
Replacement tile(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "tile_param.axis", 1));
  MO_ASSIGN(const std::int64_t tiles, size_of(layer, "tile_param.tiles", 0));
  const Value x = layer.bottom(0);
  const auto rank = type_of(x).rank();
  if (axis >= 0 && !rank) {
    const Value behind = rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar(axis + 1));
    return rw.create(ops::Tile{}, x, join(rw, {rw.integers({tiles}), ones(rw, behind)}));
  }
  const std::int64_t behind = axis < 0 ? -axis - 1 : *rank - axis - 1;
  if (behind < 0 || (rank && behind >= *rank))
    return bad_value(layer, "tile_param.axis", axis, "an axis of the bottom");
  Integers repeats(static_cast<std::size_t>(behind) + 1, 1);
  repeats.front() = tiles;
  return rw.create(ops::Tile{}, x, rw.integers(repeats));
}

/// The samples of the first bottom that the second one lists by numbers, which Caffe casts to integers.
Replacement batch_reindex(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2));
  MO_TRY(expect_tops(layer, 1));
  return rw.create(ops::Gather{}, layer.bottom(0), as_i64(rw, layer.bottom(1)), rw.scalar<std::int64_t>(0));
}

/// A layer without bottoms whose blob, its only input, is its top.
Expected<Op> parameter(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 0));
  MO_TRY(expect_tops(layer, 1));
  MO_TRY(expect_blobs(layer, 1));
  node.ignore({"parameter_param.shape.dim"}, "the blob has a shape");
  return ops::Identity{};
}

Extractor refusal(std::string_view why) {
  return [why](const FrameworkNode& node) -> Expected<Op> {
    return node.error("MO-CAFFE-0106", "{}", why)
        .hint("cut the model before or after this layer with --input and --output");
  };
}

}  // namespace

void register_shape(OperatorTable& table) {
  table.translate("Flatten", flatten_bottom);
  table.translate("Reshape", reshape);
  table.translate("Permute", permute);
  table.translate("Crop", crop);
  table.translate("Tile", tile);
  table.translate("BatchReindex", batch_reindex);
  table.extract("Parameter", parameter);
  table.refuse("Filter", refusal("the number of samples of the result depends on the data, which no IR can express"));
  table.refuse("Im2col", refusal("the layer is an intermediate step of Caffe's convolution and no op of the IR"));
}

}  // namespace mo::caffe
