#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

constexpr std::string_view kKnownCoordinates[] = {"half_pixel",           "pytorch_half_pixel",   "align_corners",     "asymmetric",
                                                  "tf_half_pixel_for_nn", "half_pixel_symmetric", "tf_crop_and_resize"};
constexpr std::string_view kKnownNearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  for (const std::string_view known : names)
    if (known == name) return true;
  return false;
}

Diagnostic unknown_value(const FrameworkNode& node, std::string_view attribute, const std::string& value) {
  return node.error("MO-ONNX-0213", "{} is \"{}\"", attribute, value).hint("ONNX knows no such way to resize; check how the model was exported");
}

/// Upsample and Resize-10: coordinates are divided by the factor; the interpolation is nearest or linear.
Expected<AttributeMap> plain_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear") return unknown_value(node, "mode", mode);
  // What implementations of opset 10 do: rounded down when growing, up when shrinking; the IR calls it simple.
  return AttributeMap{
      {"mode", mode == "nearest" ? "nearest" : "linear"}, {"coordinates", "asymmetric"}, {"nearest", "simple"}, {"cubic_coeff", -0.75}};
}

/// Resize-11 and later. Inputs: data, regions (for tf_crop_and_resize), scales, sizes.
Expected<Op> extract_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "nearest");
  const std::string coordinates = node.attr("coordinate_transformation_mode", "half_pixel");
  const std::string nearest = node.attr("nearest_mode", "round_prefer_floor");
  const std::string policy = node.attr("keep_aspect_ratio_policy", "stretch");
  if (mode != "nearest" && mode != "linear" && mode != "cubic") return unknown_value(node, "mode", mode);
  if (!contains(kKnownCoordinates, coordinates)) return unknown_value(node, "coordinate_transformation_mode", coordinates);
  if (!contains(kKnownNearest, nearest)) return unknown_value(node, "nearest_mode", nearest);
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller") return unknown_value(node, "keep_aspect_ratio_policy", policy);
  AttributeMap attributes{{"mode", mode},
                          {"coordinates", coordinates},
                          {"nearest", nearest},
                          {"cubic_coeff", node.attr("cubic_coeff_a", -0.75)},
                          {"extrapolation_value", node.attr("extrapolation_value", 0.0)},
                          {"regions", true}};
  // Linear weights outside of the data are those of the border element either way, unless the filter is stretched.
  const bool antialias = node.attr("antialias", false) && mode != "nearest";
  if (node.attr("exclude_outside", false) && (mode == "cubic" || antialias)) attributes.set("exclude_outside", true);
  if (antialias) attributes.set("antialias", true);
  if (policy != "stretch") attributes.set("policy", policy);
  if (const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes")) attributes.set("axes", *axes);
  return front_op("OnnxResize", std::move(attributes));
}

}  // namespace

void register_resize(OperatorTable& table) {
  // ONNX Upsample-1: factors of the two spatial dimensions.
  table.extract("Upsample", versions(1, 6), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    attributes.set("scales", std::vector<double>{node.required<double>("height_scale"), node.required<double>("width_scale")});
    attributes.set("axes", std::vector<std::int64_t>{2, 3});
    return front_op("OnnxResize", std::move(attributes));
  });
  table.extract("Upsample", versions(7, 8), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    attributes.set("scales", node.required<std::vector<double>>("scales"));
    return front_op("OnnxResize", std::move(attributes));
  });
  // From opset 9 on the factors are input 1.
  const auto with_scales_input = [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, plain_resize(node));
    return front_op("OnnxResize", std::move(attributes));
  };
  table.extract("Upsample", versions(9, 9), with_scales_input);
  table.extract("Resize", versions(10, 10), with_scales_input);
  table.extract("Resize", versions(11, 12), extract_resize);
  table.extract("Resize", versions(13, 17), extract_resize);
  table.extract("Resize", versions(18, 18), extract_resize);
  table.extract("Resize", since(19), extract_resize);
}

}  // namespace mo::onnx
