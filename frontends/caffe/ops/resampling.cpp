#include "frontends/caffe/ops/support/layer_checks.hpp"

namespace mo::caffe {
namespace {

/// DeepLab's Interp: bilinear, corners of both images on each other. The size, from the cropped image of s elements:
///   a second bottom           its size
///   shrink_factor             r = (s - 1) / shrink + 1
///   zoom_factor               r + (r - 1) * (zoom - 1), after shrinking when both are given
///   height and width          these
Expected<Op> extract_interp(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  AttributeMap attributes;
  for (const std::string name : {"pad_beg", "pad_end"}) {
    const std::int64_t pad = layer.integer("interp_param." + name, 0);
    if (pad > 0 || pad < -kLargestSize)
      return layer.error("MO-CAFFE-0230", "interp_param.{} is {}", name, pad)
          .hint("Interp only crops: the number is not above 0; add a layer that pads");
    attributes.set(name, pad);
  }
  MO_ASSIGN(const std::int64_t zoom, integer_in(layer, "interp_param.zoom_factor", 1, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t shrink, integer_in(layer, "interp_param.shrink_factor", 1, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "interp_param.height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "interp_param.width", 0, 0, kLargestSize));
  const bool scaled = layer.has("interp_param.zoom_factor") || layer.has("interp_param.shrink_factor");
  if (layer.bottoms() == 1 && !scaled && (height == 0 || width == 0))
    return layer.error("MO-CAFFE-0231", "interp_param does not say the size of the result")
        .hint("give height and width, zoom_factor, shrink_factor, or a second bottom");
  attributes.set("zoom", zoom);
  attributes.set("shrink", shrink);
  attributes.set("like_bottom", layer.bottoms() == 2);
  if (layer.bottoms() == 1 && !scaled) attributes.set("size", std::vector<std::int64_t>{height, width});
  return front_op("CaffeInterp", std::move(attributes));
}

/// SegNet's Upsample with a second bottom puts elements where a Pooling layer found them; the YOLO forks' Upsample, with one, repeats them.
Expected<Op> extract_upsample(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_ASSIGN(const std::int64_t scale, integer_in(layer, "upsample_param.scale", 2, 1, kLargestSize));
  std::vector<std::int64_t> scales, sizes, cut;
  for (const char axis : {'h', 'w'}) {
    MO_ASSIGN(const std::int64_t own_scale, integer_in(layer, fmt::format("upsample_param.scale_{}", axis), scale, 1, kLargestSize));
    MO_ASSIGN(const std::int64_t size, integer_in(layer, fmt::format("upsample_param.upsample_{}", axis), 0, 0, kLargestSize));
    scales.push_back(own_scale);
    sizes.push_back(size);
    cut.push_back(layer.flag(fmt::format("upsample_param.pad_out_{}", axis), false) ? 1 : 0);
  }
  if ((sizes[0] == 0) != (sizes[1] == 0))
    return layer.error("MO-CAFFE-0231", "upsample_param says one side of the result: {} x {}", sizes[0], sizes[1])
        .hint("give upsample_h and upsample_w, or factors");
  AttributeMap attributes{{"scales", scales}, {"cut", cut}};
  if (sizes[0] > 0) attributes.set("size", sizes);
  return front_op(layer.bottoms() == 2 ? "CaffeUnpooling" : "CaffeUpsample", std::move(attributes));
}

/// FlowNet's Resample: the size is that of a second bottom, given, or `factor` times that of the image.
Expected<Op> extract_resample(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  const std::string type = layer.text("resample_param.type", "LINEAR", {"", "NEAREST", "LINEAR", "CUBIC", "AREA"});
  if (type != "NEAREST" && type != "LINEAR" && type != "CUBIC")
    return layer.error("MO-CAFFE-0232", "resample_param.type is {}", type).hint("it is NEAREST, LINEAR or CUBIC");
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "resample_param.height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "resample_param.width", 0, 0, kLargestSize));
  MO_ASSIGN(const double factor, finite_real(layer, "resample_param.factor", 1));
  const bool like_bottom = layer.bottoms() == 2;
  const bool sized = height > 0 && width > 0;
  if (!like_bottom && ((!sized && (height > 0 || width > 0 || !layer.has("resample_param.factor"))) || !(factor > 0) || factor > 65536))
    return layer.error("MO-CAFFE-0231", "resample_param does not say the size of the result")
        .hint("give height and width, a factor above 0, or a second bottom");
  AttributeMap attributes{
      {"type", type}, {"antialias", layer.flag("resample_param.antialias", true)}, {"factor", factor}, {"like_bottom", like_bottom}};
  if (!like_bottom && sized) attributes.set("size", std::vector<std::int64_t>{height, width});
  return front_op("CaffeResample", std::move(attributes));
}

/// FlowNet's Accum: all bottoms in one size, one behind the other along the channels. The size is that of the last bottom, which is no data
/// then (have_reference), or the given one when it is larger than all bottoms, or else the largest of them.
Expected<Op> extract_accum(const FrameworkNode& node) {
  const Layer layer(node);
  const bool reference = layer.flag("accum_param.have_reference", false);
  MO_TRY(expect_bottoms(layer, reference ? 2 : 1, 1024));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "accum_param.top_height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "accum_param.top_width", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t divisor, integer_in(layer, "accum_param.size_divisible_by", 0, 0, kLargestSize));
  if (divisor > 1 && !reference)
    return layer.error("MO-CAFFE-0233", "accum_param.size_divisible_by is {}", divisor)
        .hint("implementations round sizes up or leave them: give top_height and top_width");
  AttributeMap attributes{{"reference", reference}};
  if (height > 0 && width > 0) attributes.set("size", std::vector<std::int64_t>{height, width});
  return front_op("CaffeAccum", std::move(attributes));
}

}  // namespace

/// Layers that give images another size.
void register_resampling(OperatorTable& table) {
  table.extract("Interp", extract_interp);
  table.extract("Upsample", extract_upsample);
  table.extract("Resample", extract_resample);
  table.extract("Accum", extract_accum);
}

}  // namespace mo::caffe
