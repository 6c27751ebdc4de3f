#include <algorithm>
#include <cmath>

#include "graph_transforms/engine/registry.hpp"
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

}  // namespace

/// weights -> Dequantize(eight bits, min, max): a quarter of the size. Constants of less than `minimum_size` (1024) elements stay.
void register_quantize_weights(TransformRegistry& registry) {
  registry.register_transform("quantize_weights", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    MO_ASSIGN(const std::int32_t least, context.one_int32("minimum_size", 1024));
    GraphEditor editor(graph, context);
    return each_float_constant(graph, least, [&](const Node& node, const Tensor& weights) -> Expected<void> {
      if (weights.element_count() == 0) return {};
      const std::string name(node.name());
      const ValueRange range = range_with_zero(weights.values<float>());
      MO_ASSIGN(const Tensor bytes, quantized(weights, range));
      const Node values = editor.create_constant(editor.free_name(name + "_quantized_const"), bytes, "DT_QUINT8");
      const Node min = editor.create_constant(editor.free_name(name + "_quantized_min"), Tensor::scalar(range.min));
      const Node max = editor.create_constant(editor.free_name(name + "_quantized_max"), Tensor::scalar(range.max));
      const Node dequantize = editor.create("Dequantize", editor.free_name(name + "_dequantized"), {values.output(), min.output(), max.output()},
                                            AttributeMap{{"T", "DT_QUINT8"}, {"mode", "MIN_FIRST"}});
      editor.replace(node, dequantize);
      return {};
    });
  });
}

}  // namespace mo::graph_transforms
