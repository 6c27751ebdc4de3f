#include <cmath>

#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/caffe_normalisation.hpp"
#include "graph_transforms/support/weighted_layers.hpp"
#include "graph_transforms/support/weights.hpp"

namespace mo::graph_transforms {
namespace {

constexpr std::string_view kNormalisations =
    "BatchNormWithGlobalNormalization|FusedBatchNorm|FusedBatchNormV2|FusedBatchNormV3";

/// A normalisation as x * scale + offset, by channel.
struct ScaleAndOffset {
  std::vector<float> scale;
  std::vector<float> offset;
};

/// The constants of a normalisation, by what they mean: the ops order them differently.
struct NormalisationInputs {
  std::size_t mean, variance, beta, gamma;
};

Expected<ScaleAndOffset> read_normalisation(const Node& norm, const GraphEditor& editor) {
  const bool is_fused = op_of(norm) != "BatchNormWithGlobalNormalization";
  const NormalisationInputs at = is_fused ? NormalisationInputs{3, 4, 2, 1} : NormalisationInputs{1, 2, 3, 4};
  const auto floats = [&](std::size_t input) { return editor.floats_of(norm.input(input).node()); };
  MO_ASSIGN(const Tensor mean, floats(at.mean));
  MO_ASSIGN(const Tensor variance, floats(at.variance));
  MO_ASSIGN(const Tensor beta, floats(at.beta));
  MO_ASSIGN(const Tensor gamma, floats(at.gamma));
  for (const Tensor* tensor : {&mean, &variance, &beta, &gamma})
    if (tensor->rank() != 1 || tensor->shape() != mean.shape())
      return norm.error("MO-GTT-0025", "an input to batch norm has bad shape: {}", to_string(tensor->shape()))
          .hint("mean, variance, offset and scale have one number for each channel");
  const double usual = op_of(norm) == "BatchNormalization" ? 1e-5 : is_fused ? 0.0001 : 0.001;
  const auto epsilon = static_cast<float>(norm.attr<double>(is_fused ? "epsilon" : "variance_epsilon").value_or(usual));
  const bool scales = is_fused || norm.attr<bool>("scale_after_normalization").value_or(false);
  ScaleAndOffset result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(mean.element_count()); ++i) {
    float scale = 1.0F / std::sqrt(variance.values<float>()[i] + epsilon);
    if (scales) scale *= gamma.values<float>()[i];
    result.scale.push_back(scale);
    result.offset.push_back(beta.values<float>()[i] - mean.values<float>()[i] * scale);
  }
  return result;
}

/// Only the normalised tensor may be read, and statistics of the batch must not be what it is normalised with.
bool is_foldable(const Node& norm) {
  for (std::size_t i = 1; i < norm.out_port_count(); ++i)
    if (!norm.out_port(i).disconnected()) return false;
  return !norm.attr<bool>("is_training").value_or(false);
}

/// Whether the weights of a layer have `channels` columns.
bool fits(const Node& layer, const GraphEditor& editor, std::size_t channels) {
  const auto weights = editor.floats_of(layer.input(1).node());
  const auto columns = weights ? weight_columns(layer, *weights) : std::nullopt;
  return columns && static_cast<std::size_t>(*columns) == channels;
}

/// layer(x, weights) -> BiasAdd(layer(x, weights * scale), offset); gives the BiasAdd. The layer fits.
Expected<Node> put_bias_behind(const Node& layer, const ScaleAndOffset& by, const std::string& name,
                               GraphEditor& editor) {
  MO_ASSIGN(const Tensor weights, editor.floats_of(layer.input(1).node()));
  MO_ASSIGN(const Tensor scaled, scaled_columns(weights, by.scale));
  editor.set_constant(layer, 1, scaled);
  const Node offset =
      editor.create_constant(editor.free_name(std::string(layer.name()) + "_bn_offset"), Tensor::vector(by.offset));
  AttributeMap attributes{{"T", layer.has_attr("T") ? layer.attribute("T") : AttributeValue(ElementType::f32)}};
  if (layer.has_attr("data_format")) attributes.set("data_format", layer.attribute("data_format"));
  return editor.create("BiasAdd", editor.free_name(name), {layer.output(), offset.output()}, std::move(attributes));
}

Expected<bool> fold_behind_layer(const NodeMatch& match, GraphEditor& editor) {
  const Node norm = match.node;
  const Node layer = match.inputs[0].node;
  if (!is_foldable(norm)) return false;
  MO_ASSIGN(const ScaleAndOffset by, read_normalisation(norm, editor));
  if (!fits(layer, editor, by.scale.size())) return false;
  MO_ASSIGN(const Node bias, put_bias_behind(layer, by, std::string(norm.name()) + "_bias", editor));
  editor.replace(norm, bias);
  return true;
}

Expected<bool> fold_behind_batch_to_space(const NodeMatch& match, GraphEditor& editor) {
  const Node norm = match.node;
  const Node to_space = match.inputs[0].node;
  const Node layer = match.inputs[0].inputs[0].node;
  if (!is_foldable(norm)) return false;
  MO_ASSIGN(const ScaleAndOffset by, read_normalisation(norm, editor));
  if (!fits(layer, editor, by.scale.size())) return false;
  MO_ASSIGN(const Node bias, put_bias_behind(layer, by, std::string(layer.name()) + "/biasadd", editor));
  editor.set_input(to_space, 0, bias.output());
  editor.replace(norm, to_space);
  return true;
}

Expected<bool> fold_behind_concat(const NodeMatch& match, GraphEditor& editor) {
  const Node norm = match.node;
  const Node concat = match.inputs[0].node;
  const Node layers[] = {match.inputs[0].inputs[0].node, match.inputs[0].inputs[1].node};
  if (!is_foldable(norm) || layers[0] == layers[1]) return false;
  MO_ASSIGN(const ScaleAndOffset by, read_normalisation(norm, editor));
  MO_ASSIGN(const Tensor axis_value, editor.constant_of(match.inputs[0].inputs[2].node));
  MO_ASSIGN(const Tensor axis_loaded, axis_value.load());
  if (axis_loaded.element_type() != ElementType::i32 || axis_loaded.element_count() != 1) return false;
  const std::int32_t axis = axis_loaded.values<std::int32_t>()[0];
  const std::int32_t channels = norm.attr<std::string>("data_format").value_or("NHWC") == "NCHW" ? 1 : 3;
  ScaleAndOffset parts[] = {by, by};
  if (axis == channels || axis == channels - 4) {
    const auto weights = editor.floats_of(layers[0].input(1).node());
    const auto columns = weights ? weight_columns(layers[0], *weights) : std::nullopt;
    if (!columns || static_cast<std::size_t>(*columns) > by.scale.size()) return false;
    for (std::vector<float> ScaleAndOffset::*list : {&ScaleAndOffset::scale, &ScaleAndOffset::offset}) {
      const std::vector<float>& all = by.*list;
      (parts[0].*list).assign(all.begin(), all.begin() + *columns);
      (parts[1].*list).assign(all.begin() + *columns, all.end());
    }
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (!fits(layers[i], editor, parts[i].scale.size())) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    MO_ASSIGN(const Node bias,
              put_bias_behind(layers[i], parts[i], fmt::format("{}_bn_in{}", concat.name(), i), editor));
    editor.set_input(concat, i, bias.output());
  }
  editor.replace(norm, concat);
  return true;
}

/// BatchNormalization(layer, scale, B, mean, var) of ONNX: the layer has a bias of its own.
Expected<bool> fold_behind_onnx_layer(const NodeMatch& match, GraphEditor& editor) {
  const Node norm = match.node;
  const Node layer = match.inputs[0].node;
  const bool is_by_channel =
      norm.attr<std::int64_t>("spatial").value_or(1) != 0 && norm.attr<std::int64_t>("training_mode").value_or(0) == 0;
  if (!is_foldable(norm) || !is_by_channel) return false;
  MO_ASSIGN(const ScaleAndOffset by, read_normalisation(norm, editor));
  MO_ASSIGN(const bool is_scaled, scale_layer(layer, {by.scale, by.offset}, editor));
  if (is_scaled) editor.replace(norm, layer);
  return is_scaled;
}

Expected<void> fold_old_batch_norms(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  const OpTypePattern constant{"Const", {}};
  if (framework_of(graph) == "caffe") return fold_caffe_normalisations(editor);
  if (framework_of(graph) == "onnx") {
    for (const OpTypePattern& pattern : behind_layers(graph, "BatchNormalization", 4))
      MO_TRY(replace_all_matching_op_types(editor, pattern, fold_behind_onnx_layer));
    return {};
  }
  const OpTypePattern layer{"Conv2D|DepthwiseConv2dNative", {{"*", {}}, constant}};
  const auto normalised = [&](OpTypePattern x) {
    return OpTypePattern{std::string(kNormalisations), {std::move(x), constant, constant, constant, constant}};
  };
  MO_TRY(replace_all_matching_op_types(editor, normalised(layer), fold_behind_layer));
  MO_TRY(replace_all_matching_op_types(editor, normalised({"BatchToSpaceND", {layer, constant, constant}}),
                                       fold_behind_batch_to_space));
  MO_TRY(replace_all_matching_op_types(editor, normalised({"ConcatV2", {layer, layer, constant}}), fold_behind_concat));
  return {};
}

}  // namespace

/// Batch normalisation with constant statistics after a convolution, also through BatchToSpaceND and ConcatV2:
/// norm(layer(x, weights)) -> BiasAdd(layer(x, weights * scale), offset), scale = gamma / sqrt(variance + epsilon),
/// offset = beta - mean * scale.
void register_fold_old_batch_norms(TransformRegistry& registry) {
  registry.register_transform("fold_old_batch_norms", Scope::any, fold_old_batch_norms);
  registry.describe(
      "fold_old_batch_norms",
      {"Folds BatchNormWithGlobalNormalization and FusedBatchNorm after a convolution into its weights and a BiasAdd",
       {}});
}

}  // namespace mo::graph_transforms
