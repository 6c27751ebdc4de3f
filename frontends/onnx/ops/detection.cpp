#include "core/registry/operator_table.hpp"
#include "ops/grid_sample.hpp"
#include "ops/roi_align.hpp"

namespace mo::onnx {
namespace {

Expected<Op> extract_roi_align(const FrameworkNode& node, ops::RoiAlignedMode aligned) {
  const std::string mode = node.attr("mode", "avg");
  if (mode != "avg" && mode != "max") return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is avg or max");
  return ops::ROIAlign{.pooled_h = node.attr<std::int64_t>("output_height", 1),
                       .pooled_w = node.attr<std::int64_t>("output_width", 1),
                       .sampling_ratio = node.attr<std::int64_t>("sampling_ratio", 0),
                       .spatial_scale = node.attr("spatial_scale", 1.0),
                       .mode = mode == "avg" ? ops::RoiAlignMode::avg : ops::RoiAlignMode::max,
                       .aligned_mode = aligned};
}

Expected<Op> extract_grid_sample(const FrameworkNode& node, std::string_view linear, std::string_view cubic, std::string_view default_mode) {
  const std::string mode = node.attr("mode", std::string(default_mode));
  if (mode != linear && mode != cubic && mode != "nearest")
    return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is {}, nearest or {} in this opset", linear, cubic);
  Op op = ops::GridSample{};
  MO_TRY(op.set_attribute("align_corners", node.attr("align_corners", false)));
  MO_TRY(op.set_attribute("mode", mode == linear ? "bilinear" : mode == cubic ? "bicubic" : "nearest"));
  MO_TRY(op.set_attribute("padding_mode", node.attr("padding_mode", "zeros")));
  return op;
}

}  // namespace

/// Boxes, regions and sampling grids.
void register_detection(OperatorTable& table) {
  table.extract("NonMaxSuppression", since(10), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxNonMaxSuppression", {{"center", node.attr("center_point_box", false)}});
  });
  // ONNX RoiAlign-10 takes coordinates as they are; RoiAlign-16 can shift them by half an element, and does so by default.
  table.extract("RoiAlign", versions(10, 15), [](const FrameworkNode& node) { return extract_roi_align(node, ops::RoiAlignedMode::asymmetric); });
  table.extract("RoiAlign", since(16), [](const FrameworkNode& node) -> Expected<Op> {
    const std::string coordinates = node.attr("coordinate_transformation_mode", "half_pixel");
    if (coordinates == "half_pixel") return extract_roi_align(node, ops::RoiAlignedMode::half_pixel_for_nn);
    if (coordinates == "output_half_pixel") return extract_roi_align(node, ops::RoiAlignedMode::asymmetric);
    return node.error("MO-ONNX-0214", "coordinate_transformation_mode is \"{}\"", coordinates).hint("it is half_pixel or output_half_pixel");
  });
  // ONNX GridSample-20 renamed the modes when it took tensors of any rank.
  table.extract("GridSample", versions(16, 19), [](const FrameworkNode& node) { return extract_grid_sample(node, "bilinear", "bicubic", "bilinear"); });
  table.extract("GridSample", since(20), [](const FrameworkNode& node) { return extract_grid_sample(node, "linear", "cubic", "linear"); });
  table.extract("AffineGrid", since(20), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxAffineGrid", {{"align_corners", node.attr("align_corners", false)}});
  });
}

}  // namespace mo::onnx
