#include "graph_transforms/support/weighted_layers.hpp"

#include <algorithm>

namespace mo::graph_transforms {
namespace {

/// Old files have a matrix as [1, 1, rows, columns].
std::optional<std::size_t> channel_axis_in_caffe(const Node& layer, std::size_t rank) {
  // Layers that share weights by name would all change.
  if (layer.has_attr("@shared")) return std::nullopt;
  const std::string_view op = op_of(layer);
  if (op == "Convolution") return rank >= 3 ? std::optional<std::size_t>(0) : std::nullopt;
  if (op == "Deconvolution")
    return rank >= 3 && layer.attr<std::int64_t>("convolution_param.group").value_or(1) == 1
               ? std::optional<std::size_t>(1)
               : std::nullopt;
  if ((rank != 2 && rank != 4) || layer.attr<std::int64_t>("inner_product_param.axis").value_or(1) != 1)
    return std::nullopt;
  return layer.attr<bool>("inner_product_param.transpose").value_or(false) ? rank - 1 : rank - 2;
}

/// The dimension of the weights that runs over the channels of the output; nothing when several do.
std::optional<std::size_t> channel_axis(const Node& layer, const Tensor& weights) {
  const std::string_view op = op_of(layer);
  const auto rank = static_cast<std::size_t>(weights.rank());
  if (op == "Conv") return rank >= 3 ? std::optional<std::size_t>(0) : std::nullopt;
  if (op == "ConvTranspose")
    return rank >= 3 && layer.attr<std::int64_t>("group").value_or(1) == 1 ? std::optional<std::size_t>(1)
                                                                           : std::nullopt;
  if (layer.type().starts_with("caffe::")) return channel_axis_in_caffe(layer, rank);
  if (rank != 2) return std::nullopt;
  return op == "Gemm" && layer.attr<std::int64_t>("transB").value_or(0) != 0 ? 0 : 1;
}

std::optional<Tensor> floats_in(const Node& node, const GraphEditor& editor) {
  auto value = node ? editor.floats_of(node) : Expected<Tensor>(error("MO-GTT-0021", "no constant"));
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

/// Each number times that of its channel.
Expected<Tensor> scaled_along(const Tensor& weights, std::size_t axis, const std::vector<float>& factors) {
  MO_ASSIGN(Tensor scaled, Tensor::allocate(ElementType::f32, weights.shape()));
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < weights.shape().size(); ++i) inner *= static_cast<std::size_t>(weights.shape()[i]);
  const auto from = weights.values<float>();
  const auto to = scaled.mutable_values<float>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] * factors[i / inner % factors.size()];
  return scaled;
}

/// The bias with the scale in it; nothing when the layer cannot have that one.
std::optional<std::vector<float>> changed_bias(const Node& layer, const ChannelScale& by, const GraphEditor& editor) {
  const bool has_bias = layer.in_port_count() > 2 && layer.input(2);
  std::vector<float> bias = by.offset.empty() ? std::vector<float>(by.scale.size(), 0) : by.offset;
  if (!has_bias) return bias;
  const std::optional<Tensor> old = floats_in(layer.input(2).node(), editor);
  // Gemm adds beta * C.
  const bool is_plain = by.offset.empty() || layer.attr<double>("beta").value_or(1) == 1;
  if (!old || !is_plain || static_cast<std::size_t>(old->element_count()) != by.scale.size() ||
      old->shape().back() != old->element_count())
    return std::nullopt;
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += old->values<float>()[i] * by.scale[i];
  return bias;
}

}  // namespace

std::optional<std::int64_t> layer_channels(const Node& layer, const GraphEditor& editor) {
  const std::optional<Tensor> weights = floats_in(layer.input(1).node(), editor);
  const auto axis = weights ? channel_axis(layer, *weights) : std::nullopt;
  return axis ? std::optional(weights->shape()[*axis]) : std::nullopt;
}

std::optional<std::vector<float>> channel_factors(const Node& factors, const Node& layer, const GraphEditor& editor) {
  const auto channels = layer_channels(layer, editor);
  const std::optional<Tensor> values = floats_in(factors, editor);
  const std::optional<Tensor> weights = floats_in(layer.input(1).node(), editor);
  if (!channels || !values) return std::nullopt;
  const auto numbers = values->values<float>();
  const bool is_convolution = op_of(layer) == "Conv" || op_of(layer) == "ConvTranspose";
  const std::size_t rank = is_convolution ? weights->shape().size() : 2;
  // More dimensions than the layer gives would be dimensions of the product.
  if (values->shape().size() > rank) return std::nullopt;
  if (numbers.size() == 1) return std::vector<float>(static_cast<std::size_t>(*channels), numbers[0]);
  // Dimensions are counted from the last one: C is followed by those of an image.
  const std::size_t behind = is_convolution ? rank - 2 : 0;
  const bool is_by_channel = static_cast<std::int64_t>(numbers.size()) == *channels &&
                             values->shape().size() > behind &&
                             values->shape()[values->shape().size() - 1 - behind] == *channels;
  return is_by_channel ? std::optional(std::vector<float>(numbers.begin(), numbers.end())) : std::nullopt;
}

Expected<bool> scale_layer(const Node& layer, const ChannelScale& by, GraphEditor& editor) {
  const std::optional<Tensor> weights = floats_in(layer.input(1).node(), editor);
  const auto axis = weights ? channel_axis(layer, *weights) : std::nullopt;
  if (!axis || static_cast<std::size_t>(weights->shape()[*axis]) != by.scale.size()) return false;
  const bool has_bias = layer.in_port_count() > 2 && layer.input(2);
  const bool needs_bias = has_bias || !by.offset.empty();
  const std::optional<std::vector<float>> bias = changed_bias(layer, by, editor);
  if (needs_bias && (!bias || op_of(layer) == "MatMul")) return false;
  MO_ASSIGN(const Tensor scaled, scaled_along(*weights, *axis, by.scale));
  editor.set_constant(layer, 1, scaled);
  if (!needs_bias) return true;
  const Tensor values = Tensor::vector(*bias);
  if (has_bias) {
    MO_ASSIGN(const Tensor old, editor.constant_of(layer.input(2).node()));
    editor.set_constant(layer, 2, values.reshaped(old.shape()));
  } else {
    editor.set_input(layer, 2,
                     editor.create_constant(editor.free_name(std::string(layer.name()) + "_bias"), values).output());
    // Caffe: a layer has a bias unless it says that it has none.
    for (const std::string_view flag : {"convolution_param.bias_term", "inner_product_param.bias_term"})
      attributes_of(layer).erase(flag);
  }
  return true;
}

std::vector<OpTypePattern> layer_patterns(const Graph& graph) {
  const std::string ops =
      framework_of(graph) == "caffe" ? "Convolution|Deconvolution|InnerProduct" : "Conv|ConvTranspose|Gemm|MatMul";
  const OpTypePattern any{"*", {}};
  const OpTypePattern constant{"Const", {}};
  return {{ops, {any, constant}}, {ops, {any, constant, constant}}};
}

std::vector<OpTypePattern> behind_layers(const Graph& graph, const std::string& op, std::size_t constants) {
  std::vector<OpTypePattern> patterns;
  for (const OpTypePattern& layer : layer_patterns(graph)) {
    OpTypePattern& pattern = patterns.emplace_back(OpTypePattern{op, {layer}});
    pattern.inputs.resize(1 + constants, OpTypePattern{"Const", {}});
  }
  return patterns;
}

}  // namespace mo::graph_transforms
