#include <algorithm>
#include <cmath>

#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"
#include "graph_transforms/support/weights.hpp"

namespace mo::graph_transforms {
namespace {

/// "more than 15 element[s]", as the guide of the original says.
constexpr std::int32_t kLeastQuantized = 16;

/// Whether 0 in place of a small number lets the node divide by 0.
bool divides_by(const InPort& port) {
  struct Row {
    std::string_view ops;
    std::size_t port;
  };
  constexpr Row kRows[] = {{"FusedBatchNorm|FusedBatchNormV2|FusedBatchNormV3|BatchNormalization", 4},
                           {"BatchNormWithGlobalNormalization", 2},
                           {"Rsqrt|Sqrt|Log|Inv|Reciprocal", 0},
                           {"Div|RealDiv", 1}};
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const Row& row) { return row.port == port.index() && is_op_of(op_of(port.node()), row.ops); });
}

/// Whether a node divides by the constant or its root, also by a sum with it: a variance and its eps.
bool is_divisor(const Node& constant) {
  constexpr int kMostSteps = 3;
  std::vector<Node> open{constant};
  for (int step = 0; step < kMostSteps; ++step) {
    std::vector<Node> next;
    for (const Node& node : open)
      for (const InPort& reader : node.output().get_destinations()) {
        if (divides_by(reader)) return true;
        if (is_op_of(op_of(reader.node()), "Identity|Add|AddV2")) next.push_back(reader.node());
      }
    open = std::move(next);
  }
  return false;
}

/// Numbers above 0 of which some become 0 in eight bits.
bool loses_small_numbers(std::span<const float> values, const ValueRange& range) {
  const float step = range.max / 255.0F;
  return range.min >= 0 && std::all_of(values.begin(), values.end(), [](float v) { return v > 0; }) &&
         std::any_of(values.begin(), values.end(), [&](float v) { return v < step / 2; });
}

/// The range that eight bits divide: it has zero in it, so that zeros stay zeros.
ValueRange range_with_zero(std::span<const float> values) {
  ValueRange range = range_of(values);
  // The original has the smallest positive float as the upper end where nothing is positive; zeros only would then have
  // no scale at all.
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
  return editor.create("Dequantize", editor.free_name(name + "_dequantized"),
                       {bytes.output(), min.output(), max.output()},
                       AttributeMap{{"T", "DT_QUINT8"}, {"mode", "MIN_FIRST"}});
}

/// DequantizeLinear(bytes, scale, zero point) of ONNX: the same steps between the same bytes.
Node put_dequantize_linear(GraphEditor& editor, const std::string& name, const Node& bytes, const ValueRange& range) {
  const double width = static_cast<double>(range.max) - static_cast<double>(range.min);
  const auto zero = static_cast<std::uint8_t>(std::clamp(-std::round(range.min * (255.0 / width)), 0.0, 255.0));
  const Node scale = editor.create_constant(editor.free_name(name + "_quantized_scale"),
                                            Tensor::scalar(static_cast<float>(width / 255.0)));
  const Node zero_point =
      editor.create_constant(editor.free_name(name + "_quantized_zero_point"), Tensor::scalar(zero));
  return editor.create("DequantizeLinear", editor.free_name(name + "_dequantized"),
                       {bytes.output(), scale.output(), zero_point.output()});
}

Expected<void> quantize_weights(Graph& graph, const TransformFuncContext& context) {
  MO_ASSIGN(const std::int32_t least, context.one_int32("minimum_size", kLeastQuantized));
  GraphEditor editor(graph, context);
  if (framework_of(graph) == "caffe")
    return error("MO-GTT-0059", "Caffe has no layer that unpacks weights of eight bits")
        .hint("use round_weights, whose weights compress well");
  const bool is_onnx = framework_of(graph) == "onnx";
  constexpr std::int64_t kHasDequantizeLinear = 10;
  if (is_onnx && context.services->operator_version(graph) < kHasDequantizeLinear)
    return error("MO-GTT-0057", "the model has operators of version {}, DequantizeLinear is there since {}",
                 context.services->operator_version(graph), kHasDequantizeLinear)
        .hint(
            "convert it first: python3 -c \"import onnx, onnx.version_converter as v; "
            "onnx.save(v.convert_version(onnx.load('old.onnx'), 13), "
            "'new.onnx')\"");
  std::vector<std::string> kept;
  MO_TRY(each_float_constant(graph, least, [&](const Node& node, const Tensor& weights) -> Expected<void> {
    if (weights.element_count() == 0) return {};
    const std::string name(node.name());
    const ValueRange range = range_with_zero(weights.values<float>());
    if (loses_small_numbers(weights.values<float>(), range) && is_divisor(node))
      return kept.push_back(name), Expected<void>();
    MO_ASSIGN(const Tensor numbers, quantized(weights, range));
    const Node bytes = editor.create_constant(editor.free_name(name + "_quantized_const"), numbers,
                                              is_onnx ? AttributeValue(ElementType::u8) : AttributeValue("DT_QUINT8"));
    editor.replace(
        node, is_onnx ? put_dequantize_linear(editor, name, bytes, range) : put_dequantize(editor, name, bytes, range));
    return {};
  }));
  if (!kept.empty())
    context.warn(warning("MO-GTT-0071",
                         "{} constants stay floats, as small numbers by which the model divides would become 0 in "
                         "eight bits: '{}'{}",
                         kept.size(), kept.front(), kept.size() > 1 ? " …" : "")
                     .hint("apply fold_constants(ignore_errors=true) fold_batch_norms fold_old_batch_norms before "
                           "quantize_weights"));
  return {};
}

}  // namespace

/// weights -> Dequantize(eight bits, min, max), or DequantizeLinear(eight bits, scale, zero point) in ONNX: a quarter
/// of the size. Constants of less than `minimum_size` (16) elements stay, and so do variances of which some would
/// become 0.
void register_quantize_weights(TransformRegistry& registry) {
  registry.register_transform("quantize_weights", Scope::any, Numbers::quantised, quantize_weights);
  registry.describe("quantize_weights",
                    {"Stores constants of floats as eight bits and a Dequantize",
                     {{"minimum_size", "integer", "16", "number of elements from which constants are quantized"}}});
}

}  // namespace mo::graph_transforms
