#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Ops that ONNX had before opset 10 as experiments; old exporters wrote them.
void register_experimental(OperatorTable& table) {
  table.extract("Affine", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxAffine", {{"alpha", node.attr("alpha", 1.0)}, {"beta", node.attr("beta", 0.0)}});
  });
  table.extract("ImageScaler", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxImageScaler", {{"scale", node.attr("scale", 1.0)}, {"bias", node.attr("bias", std::vector<double>())}});
  });
  // Input [N, C, H, W]; `border` is left, top, right, bottom; with `scale` (height, width) the left and top borders say where it starts.
  table.extract("Crop", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    const auto border = node.attr("border", std::vector<std::int64_t>());
    const auto scale = node.attr("scale", std::vector<std::int64_t>());
    const auto bad = [](std::int64_t v) { return v < 0 || v > (std::int64_t{1} << 40); };
    for (const auto& numbers : {border, scale})
      for (const std::int64_t number : numbers)
        if (bad(number)) return node.error("MO-ONNX-0222", "a border or length is {}", number).hint("borders and lengths are not negative");
    if (border.size() != 4 || (!scale.empty() && scale.size() != 2))
      return node.error("MO-ONNX-0222", "border has {} numbers and scale {}", border.size(), scale.size())
          .hint("border is left, top, right, bottom; scale is height, width");
    return front_op("OnnxCrop", {{"border", border}, {"scale", scale}});
  });
}

}  // namespace mo::onnx
