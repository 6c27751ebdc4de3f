#include <algorithm>

#include "frontends/caffe/ops/support/layer_ports.hpp"

namespace mo::caffe {
namespace {

using Integers = std::vector<std::int64_t>;

/// More axes than any tensor has; keeps what is made for each axis small.
constexpr std::int64_t kMostAxes = 64;

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

Expected<Op> flatten(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "flatten_param.axis", 1));
  MO_ASSIGN(const std::int64_t end, axis_of(layer, "flatten_param.end_axis", -1));
  if ((axis >= 0) == (end >= 0) && end < axis) return bad_value(layer, "flatten_param.end_axis", end, "not in front of flatten_param.axis");
  return layer_op(layer, "CaffeFlatten", {{"axis", axis}, {"end_axis", end}});
}

Expected<Op> reshape(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "reshape_param.axis", 0));
  MO_ASSIGN(const std::int64_t axes, axis_of(layer, "reshape_param.num_axes", -1));
  if (axes < -1) return bad_value(layer, "reshape_param.num_axes", axes, "the number of axes, or -1 for all from `axis` on");
  const Integers dims = layer.integers("reshape_param.shape.dim");
  if (static_cast<std::int64_t>(dims.size()) > kMostAxes) return bad_value(layer, "the length of reshape_param.shape", dims.size(), "at most 64");
  for (const std::int64_t dim : dims)
    if (dim < -1) return bad_value(layer, "reshape_param.shape.dim", dim, "a size, 0 to copy the dimension, or -1 for what is left");
  if (std::count(dims.begin(), dims.end(), -1) > 1)
    return layer.error("MO-CAFFE-0103", "reshape_param.shape has more than one -1").hint("only one dimension can follow from the others");
  return layer_op(layer, "CaffeReshape", {{"dims", dims}, {"axis", axis}, {"num_axes", axes}});
}

/// SSD Permute: axes that are not listed follow in their order.
Expected<Op> permute(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  const Integers order = layer.integers("permute_param.order");
  for (auto it = order.begin(); it != order.end(); ++it) {
    if (*it < 0 || *it >= kMostAxes) return bad_value(layer, "permute_param.order", *it, "an axis of the bottom, counted from the front");
    if (std::find(order.begin(), it, *it) != it)
      return layer.error("MO-CAFFE-0103", "axis {} is listed twice in permute_param.order", *it).hint("list each axis once");
  }
  return layer_op(layer, "CaffePermute", {{"order", order}});
}

/// Offsets: none, one for all axes, or one for each. Sizes are those of the second bottom, or `dimsize` without one.
Expected<Op> crop(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "crop_param.axis", 2));
  const Integers offsets = layer.integers("crop_param.offset");
  const Integers sizes = layer.integers("crop_param.dimsize");
  for (const std::int64_t offset : offsets) MO_TRY(expect_size(layer, "crop_param.offset", offset, 0));
  for (const std::int64_t size : sizes) MO_TRY(expect_size(layer, "crop_param.dimsize", size, 1));
  if (layer.bottoms() == 1 && sizes.empty())
    return layer.error("MO-CAFFE-0103", "nothing says what size to crop to").hint("give a second bottom of that size");
  const std::size_t listed = layer.bottoms() == 1 ? sizes.size() : offsets.size();
  if (layer.bottoms() == 1 && offsets.size() > 1 && offsets.size() != sizes.size())
    return layer.error("MO-CAFFE-0103", "crop_param has {} offsets for {} sizes", offsets.size(), sizes.size())
        .hint("give one offset, or one for each size");
  if (listed > static_cast<std::size_t>(kMostAxes)) return bad_value(layer, "the number of offsets or sizes in crop_param", listed, "at most 64");
  if (listed > 1 && axis < 0 && listed != static_cast<std::size_t>(-axis))
    return layer.error("MO-CAFFE-0103", "crop_param has {} numbers for the {} axes from {} on", listed, -axis, axis)
        .hint("give one number, or one for each axis");
  return layer_op(layer, "CaffeCrop", {{"axis", axis}, {"offsets", offsets}, {"sizes", sizes}});
}

Expected<Op> tile(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_movement(layer));
  MO_ASSIGN(const std::int64_t axis, axis_of(layer, "tile_param.axis", 1));
  MO_ASSIGN(const std::int64_t tiles, size_of(layer, "tile_param.tiles", 0));
  return layer_op(layer, "CaffeTile", {{"axis", axis}, {"tiles", tiles}});
}

/// The samples of the first bottom that the second one lists.
Expected<Op> batch_reindex(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2));
  MO_TRY(expect_tops(layer, 1));
  return layer_op(layer, "CaffeBatchReindex");
}

/// A layer without bottoms whose blob is its top.
Expected<Op> parameter(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 0));
  MO_TRY(expect_tops(layer, 1));
  MO_TRY(expect_blobs(layer, 1));
  node.ignore({"parameter_param.shape.dim"});
  return layer_op(layer, "CaffeParameter");
}

Extractor refusal(std::string_view why) {
  return [why](const FrameworkNode& node) -> Expected<Op> {
    return node.error("MO-CAFFE-0106", "{}", why).hint("cut the model before or behind this layer with --input and --output");
  };
}

}  // namespace

void register_shape(OperatorTable& table) {
  table.extract("Flatten", flatten);
  table.extract("Reshape", reshape);
  table.extract("Permute", permute);
  table.extract("Crop", crop);
  table.extract("Tile", tile);
  table.extract("BatchReindex", batch_reindex);
  table.extract("Parameter", parameter);
  table.refuse("Filter", refusal("the number of samples of the result depends on the data, which no IR can express"));
  table.refuse("Im2col", refusal("the layer is an intermediate step of Caffe's convolution and no op of the IR"));
}

}  // namespace mo::caffe
