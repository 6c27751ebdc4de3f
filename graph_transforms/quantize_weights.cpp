#include <algorithm>
#include <cmath>

#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"
#include "graph_transforms/support/weights.hpp"

namespace mo::graph_transforms {
namespace {

/// The range that eight bits divide: it has zero in it, so that zeros stay zeros.
ValueRange range_with_zero(std::span<const float> values) {
  ValueRange range = range_of(values);
  // The original has the smallest positive float as the upper end where nothing is positive; zeros only would then have no scale at all.
  if (std::all_of(values.begin(), values.end(), [](float v) { return v == 0; })) return {0, 1};
  range.min = std::min(range.min, 0.0F);
  range.max = std::max(range.max, 0.0F);
  return range;
}

Expected<Tensor> quantized(const Tensor& weights, const ValueRange& range) {
  MO_ASSIGN(Tensor result, Tensor::allocate(ElementType::u8, weights.shape()));
  const auto from = weights.values<float>();
  const auto to = result.mutable_values<std::uint8_t>();
  const double scale = 255.0 / (static_cast<double>(range.max) - static_cast<double>(range.min));
  const double lowest = std::round(range.min * scale);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double number = std::round(from[i] * scale) - lowest;
    to[i] = static_cast<std::uint8_t>(std::isnan(number) ? 0.0 : std::clamp(number, 0.0, 255.0));
  }
  return result;
}

/// Dequantize(bytes, min, max) with the names that the original gives.
Node put_dequantize(GraphEditor& editor, const std::string& name, const Node& bytes, const ValueRange& range) {
  const Node min = editor.create_constant(editor.free_name(name + "_quantized_min"), Tensor::scalar(range.min));
  const Node max = editor.create_constant(editor.free_name(name + "_quantized_max"), Tensor::scalar(range.max));
  return editor.create("Dequantize", editor.free_name(name + "_dequantized"), {bytes.output(), min.output(), max.output()},
                       AttributeMap{{"T", "DT_QUINT8"}, {"mode", "MIN_FIRST"}});
}

/// DequantizeLinear(bytes, scale, zero point) of ONNX: the same steps between the same bytes.
Node put_dequantize_linear(GraphEditor& editor, const std::string& name, const Node& bytes, const ValueRange& range) {
  const double width = static_cast<double>(range.max) - static_cast<double>(range.min);
  const auto zero = static_cast<std::uint8_t>(std::clamp(-std::round(range.min * (255.0 / width)), 0.0, 255.0));
  const Node scale = editor.create_constant(editor.free_name(name + "_quantized_scale"), Tensor::scalar(static_cast<float>(width / 255.0)));
  const Node zero_point = editor.create_constant(editor.free_name(name + "_quantized_zero_point"), Tensor::scalar(zero));
  return editor.create("DequantizeLinear", editor.free_name(name + "_dequantized"), {bytes.output(), scale.output(), zero_point.output()});
}

Expected<void> quantize_weights(Graph& graph, const TransformFuncContext& context) {
  MO_ASSIGN(const std::int32_t least, context.one_int32("minimum_size", 1024));
  GraphEditor editor(graph, context);
  if (framework_of(graph) == "caffe")
    return error("MO-GTT-0059", "Caffe has no layer that unpacks weights of eight bits")
        .hint("round_weights makes weights that a packer makes small");
  const bool is_onnx = framework_of(graph) == "onnx";
  constexpr std::int64_t kHasDequantizeLinear = 10;
  if (is_onnx && context.services->operator_version(graph) < kHasDequantizeLinear)
    return error("MO-GTT-0057", "the model has operators of version {}, DequantizeLinear is there since {}",
                 context.services->operator_version(graph), kHasDequantizeLinear)
        .hint("export the model with opset_version=13, or convert it with onnx.version_converter in Python");
  return each_float_constant(graph, least, [&](const Node& node, const Tensor& weights) -> Expected<void> {
    if (weights.element_count() == 0) return {};
    const std::string name(node.name());
    const ValueRange range = range_with_zero(weights.values<float>());
    MO_ASSIGN(const Tensor numbers, quantized(weights, range));
    const Node bytes = editor.create_constant(editor.free_name(name + "_quantized_const"), numbers,
                                              is_onnx ? AttributeValue(ElementType::u8) : AttributeValue("DT_QUINT8"));
    editor.replace(node, is_onnx ? put_dequantize_linear(editor, name, bytes, range) : put_dequantize(editor, name, bytes, range));
    return {};
  });
}

}  // namespace

/// weights -> Dequantize(eight bits, min, max), or DequantizeLinear(eight bits, scale, zero point) in ONNX: a quarter of the size. Constants of less than
/// `minimum_size` (1024) elements stay.
void register_quantize_weights(TransformRegistry& registry) {
  registry.register_transform("quantize_weights", Scope::any, Numbers::quantised, quantize_weights);
}

}  // namespace mo::graph_transforms
