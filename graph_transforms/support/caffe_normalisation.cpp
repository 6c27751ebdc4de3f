#include "graph_transforms/support/caffe_normalisation.hpp"

#include <cmath>

#include "graph_transforms/support/weighted_layers.hpp"

namespace mo::graph_transforms {
namespace {

/// The constants after the first input, as floats; nothing when one is no such constant.
std::optional<std::vector<Tensor>> constants_of(const Node& node, const GraphEditor& editor) {
  std::vector<Tensor> values;
  for (std::size_t i = 1; i < node.in_port_count(); ++i) {
    auto value = editor.floats_of(node.input(i).node());
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

/// Folds a layer's scale and offset into the weights of the layer before it.
Expected<bool> fold(const NodeMatch& match, const ChannelScale& by, GraphEditor& editor) {
  const Node layer = match.inputs[0].node;
  MO_ASSIGN(const bool is_scaled, scale_layer(layer, by, editor));
  if (is_scaled) editor.replace(match.node, layer);
  return is_scaled;
}

/// BatchNorm: (x - mean / f) / sqrt(variance / f + eps); the blobs are sums, and f says of how many.
Expected<bool> fold_normalisation(const NodeMatch& match, GraphEditor& editor) {
  const Node norm = match.node;
  const auto values = constants_of(norm, editor);
  if (!values || !norm.attr<bool>("batch_norm_param.use_global_stats").value_or(true)) return false;
  const auto mean = (*values)[0].values<float>();
  const auto variance = (*values)[1].values<float>();
  const auto count = (*values)[2].values<float>();
  if (mean.size() != variance.size() || count.size() != 1) return false;
  const float factor = count[0] == 0 ? 0 : 1 / count[0];
  const auto epsilon = static_cast<float>(norm.attr<double>("batch_norm_param.eps").value_or(1e-5));
  ChannelScale by;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    by.scale.push_back(1 / std::sqrt(variance[i] * factor + epsilon));
    by.offset.push_back(-mean[i] * factor * by.scale.back());
  }
  return fold(match, by, editor);
}

/// Scale: x * factors, and more where it has a bias; along the channels.
Expected<bool> fold_scale(const NodeMatch& match, GraphEditor& editor) {
  const Node scale = match.node;
  const auto values = constants_of(scale, editor);
  const bool is_by_channel = scale.attr<std::int64_t>("scale_param.axis").value_or(1) == 1 &&
                             scale.attr<std::int64_t>("scale_param.num_axes").value_or(1) == 1;
  if (!values || !is_by_channel) return false;
  const auto factors = (*values)[0].values<float>();
  ChannelScale by{{factors.begin(), factors.end()}, {}};
  if (values->size() > 1) {
    const auto bias = (*values)[1].values<float>();
    if (bias.size() != factors.size()) return false;
    by.offset.assign(bias.begin(), bias.end());
  }
  return fold(match, by, editor);
}

}  // namespace

Expected<void> fold_caffe_normalisations(GraphEditor& editor) {
  for (const OpTypePattern& pattern : behind_layers(editor.graph(), "BatchNorm", 3))
    MO_TRY(replace_all_matching_op_types(editor, pattern, fold_normalisation));
  return {};
}

Expected<void> fold_caffe_scales(GraphEditor& editor) {
  MO_TRY(fold_caffe_normalisations(editor));
  for (const std::size_t constants : {1, 2})
    for (const OpTypePattern& pattern : behind_layers(editor.graph(), "Scale", constants))
      MO_TRY(replace_all_matching_op_types(editor, pattern, fold_scale));
  return {};
}

}  // namespace mo::graph_transforms
