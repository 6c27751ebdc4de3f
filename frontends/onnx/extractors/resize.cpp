#include "core/registry/extractor.hpp"

namespace mo::onnx {
namespace {

constexpr std::string_view kKnownCoordinates[] = {"half_pixel", "pytorch_half_pixel",   "align_corners",
                                                  "asymmetric", "tf_half_pixel_for_nn", "half_pixel_symmetric"};
constexpr std::string_view kKnownNearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  for (const std::string_view known : names)
    if (known == name) return true;
  return false;
}

Diagnostic unknown_value(const FrameworkNode& node, std::string_view attribute, const std::string& value) {
  return node.error("MO-ONNX-0213", "{} is \"{}\"", attribute, value).hint("the IR has no such way to resize; export the model with another one");
}

/// Upsample and Resize-10: coordinates are divided by the factor; the interpolation is nearest or linear.
Expected<AttributeMap> plain_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear") return unknown_value(node, "mode", mode);
  // What implementations of opset 10 do: rounded down when growing, up when shrinking; the IR calls it simple.
  return AttributeMap{
      {"mode", mode == "nearest" ? "nearest" : "linear"}, {"coordinates", "asymmetric"}, {"nearest", "simple"}, {"cubic_coeff", -0.75}};
}

/// Resize-11 and later. Inputs: data, regions (read by one mode that the IR does not have), scales, sizes.
Expected<Op> extract_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "nearest");
  const std::string coordinates = node.attr("coordinate_transformation_mode", "half_pixel");
  const std::string nearest = node.attr("nearest_mode", "round_prefer_floor");
  node.ignore({"extrapolation_value"});  // for tf_crop_and_resize only
  if (mode != "nearest" && mode != "linear" && mode != "cubic") return unknown_value(node, "mode", mode);
  if (!contains(kKnownCoordinates, coordinates)) return unknown_value(node, "coordinate_transformation_mode", coordinates);
  if (!contains(kKnownNearest, nearest)) return unknown_value(node, "nearest_mode", nearest);
  // Linear weights outside of the data are those of the border element either way.
  if (node.attr("exclude_outside", false) && mode == "cubic") return unknown_value(node, "exclude_outside", "1");
  if (node.attr("antialias", false) && mode != "nearest") return unknown_value(node, "antialias", "1");
  // The kept ratio rounds lengths and samples with unrounded factors: no mode of the IR does both.
  if (const std::string policy = node.attr("keep_aspect_ratio_policy", "stretch"); policy != "stretch")
    return unknown_value(node, "keep_aspect_ratio_policy", policy);
  AttributeMap attributes{
      {"mode", mode}, {"coordinates", coordinates}, {"nearest", nearest}, {"cubic_coeff", node.attr("cubic_coeff_a", -0.75)}, {"regions", true}};
  if (const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes")) attributes.set("axes", *axes);
  return front_op("OnnxResize", std::move(attributes));
}

}  // namespace

void register_resize(ExtractorTable& table) {
  // ONNX Upsample-1: factors of the two spatial dimensions.
  table.add("Upsample", versions(1, 6), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    attributes.set("scales", std::vector<double>{node.required<double>("height_scale"), node.required<double>("width_scale")});
    attributes.set("axes", std::vector<std::int64_t>{2, 3});
    return front_op("OnnxResize", std::move(attributes));
  });
  table.add("Upsample", versions(7, 8), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    attributes.set("scales", node.required<std::vector<double>>("scales"));
    return front_op("OnnxResize", std::move(attributes));
  });
  // From opset 9 on the factors are input 1.
  const auto with_scales_input = [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    return front_op("OnnxResize", std::move(attributes));
  };
  table.add("Upsample", since(9), with_scales_input);
  table.add("Resize", versions(10, 10), with_scales_input);
  table.add("Resize", versions(11, 12), extract_resize);
  table.add("Resize", versions(13, 17), extract_resize);
  table.add("Resize", versions(18, 18), extract_resize);
  table.add("Resize", since(19), extract_resize);
}

}  // namespace mo::onnx
