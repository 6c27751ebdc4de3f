#include <algorithm>
#include <array>

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

/// The Resize ops: `mode` is that of the IR.
Expected<Op> resize(const FrameworkNode& node, std::string_view mode) {
  const bool corners = node.attr("align_corners", false);
  const bool centers = node.attr("half_pixel_centers", false);
  if (corners && centers)
    return node.error("MO-TF-0681", "align_corners and half_pixel_centers exclude each other").hint("TensorFlow refuses it as well: set one of them");
  // TensorFlow ResizeBicubic: another kernel with half_pixel_centers, which leaves out what is beyond the image.
  if (mode == "cubic" && centers) return front_op("TfResizeBicubic", {{"type", node.required<ElementType>("T")}});
  return front_op("TfResize",
                  {{"mode", mode}, {"align_corners", corners}, {"half_pixel_centers", centers}, {"type", node.required<ElementType>("T")}});
}

}  // namespace

void register_image(OperatorTable& table) {
  table.extract("ResizeBilinear", [](const FrameworkNode& node) { return resize(node, "linear_onnx"); });
  table.extract("ResizeNearestNeighbor", [](const FrameworkNode& node) { return resize(node, "nearest"); });
  table.extract("ResizeBicubic", [](const FrameworkNode& node) { return resize(node, "cubic"); });
  table.extract("ResizeArea", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfResizeArea", {{"align_corners", node.attr("align_corners", false)}, {"type", node.required<ElementType>("T")}});
  });
  table.extract("ScaleAndTranslate", [](const FrameworkNode& node) -> Expected<Op> {
    constexpr std::array<std::string_view, 8> kKernels{"lanczos1", "lanczos3", "lanczos5",  "gaussian",
                                                       "box",      "triangle", "keyscubic", "mitchellcubic"};
    const std::string kernel = node.attr("kernel_type", "lanczos3");
    if (std::find(kKernels.begin(), kKernels.end(), kernel) == kKernels.end())
      return node.error("MO-TF-0683", "kernel_type is '{}'", kernel)
          .hint("TensorFlow knows lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic, mitchellcubic");
    return front_op("TfScaleAndTranslate",
                    {{"kernel_type", kernel}, {"antialias", node.attr("antialias", true)}, {"type", node.required<ElementType>("T")}});
  });
  for (const std::string_view op : {"RGBToHSV", "HSVToRGB", "AdjustHue", "AdjustSaturation", "AdjustContrastv2", "AdjustContrast"})
    table.extract(std::string(op), [op](const FrameworkNode& node) -> Expected<Op> {
      // The first version of AdjustContrast has no default type; the others are f32 when they do not say.
      const ElementType type = op == "AdjustContrast" ? node.required<ElementType>("T") : node.attr("T", ElementType::f32);
      return front_op("Tf" + std::string(op), {{"type", type}});
    });
}

}  // namespace mo::tensorflow
