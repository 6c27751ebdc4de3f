#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/caffe_normalisation.hpp"
#include "graph_transforms/support/weighted_layers.hpp"
#include "graph_transforms/support/weights.hpp"

namespace mo::graph_transforms {
namespace {

Expected<bool> fold_product(const NodeMatch& match, GraphEditor& editor) {
  const Node multiply = match.node;
  const Node layer = match.inputs[0].node;
  const Node weights_node = match.inputs[0].inputs[1].node;
  const Node factors_node = match.inputs[1].node;
  // What others read as well would have to be there twice.
  if (!editor.is_only_read_by(weights_node, layer) || !editor.is_only_read_by(factors_node, multiply)) return false;
  MO_ASSIGN(const Tensor weights, editor.floats_of(weights_node));
  MO_ASSIGN(const Tensor factors, editor.floats_of(factors_node));
  const std::optional<std::int64_t> columns = weight_columns(layer, weights);
  const bool is_transposed = layer.attr<bool>("transpose_b").value_or(false);
  const bool is_channels_first = layer.attr<std::string>("data_format").value_or("NHWC") == "NCHW";
  if (!columns || is_transposed || is_channels_first) return false;
  if (factors.shape() != Shape{*columns})
    return factors_node
        .error("MO-GTT-0025", "Mul constant input to batch norm has bad shape: {}", to_string(factors.shape()))
        .hint("a factor for each of the {} channels was expected", *columns);
  MO_ASSIGN(const Tensor scaled, scaled_columns(weights, factors.values<float>()));
  editor.set_constant(layer, 1, scaled);
  editor.replace(multiply, layer);
  return true;
}

/// Mul(layer, factors), in either order.
Expected<bool> fold_onnx(const NodeMatch& match, GraphEditor& editor) {
  const bool is_first = match.inputs[1].node.type() == "onnx::Const";
  const Node layer = match.inputs[is_first ? 0 : 1].node;
  const auto factors = channel_factors(match.inputs[is_first ? 1 : 0].node, layer, editor);
  if (!factors) return false;
  MO_ASSIGN(const bool is_scaled, scale_layer(layer, {*factors, {}}, editor));
  if (is_scaled) editor.replace(match.node, layer);
  return is_scaled;
}

Expected<void> fold_batch_norms(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  const OpTypePattern constant{"Const", {}};
  if (framework_of(graph) == "caffe") return fold_caffe_scales(editor);
  if (framework_of(graph) == "onnx") {
    for (const OpTypePattern& layer : layer_patterns(graph))
      for (const OpTypePattern& product :
           {OpTypePattern{"Mul", {layer, constant}}, OpTypePattern{"Mul", {constant, layer}}})
        MO_TRY(replace_all_matching_op_types(editor, product, fold_onnx));
    return {};
  }
  const OpTypePattern pattern{"Mul", {{"Conv2D|MatMul|DepthwiseConv2dNative", {{"*", {}}, constant}}, constant}};
  MO_TRY(replace_all_matching_op_types(editor, pattern, fold_product));
  return {};
}

}  // namespace

/// layer(x, weights) * factors -> layer(x, weights * factors) for Conv2D, DepthwiseConv2dNative and MatMul, and for
/// those of ONNX, with their bias; what remains of batch normalisation once constants are folded. In Caffe BatchNorm
/// and Scale, which are a batch normalisation together, go into layer and bias.
void register_fold_batch_norms(TransformRegistry& registry) {
  registry.register_transform("fold_batch_norms", Scope::any, fold_batch_norms);
  registry.describe("fold_batch_norms", {"Multiplies the weights of a layer by the constant factor after it", {}});
}

}  // namespace mo::graph_transforms
