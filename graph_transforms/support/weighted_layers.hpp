#pragma once

#include <optional>
#include <vector>

#include "graph_transforms/engine/matching.hpp"

/// Layers that have weights and a bias of their own: Conv, ConvTranspose, Gemm and MatMul of ONNX; Convolution,
/// Deconvolution and InnerProduct of Caffe.
namespace mo::graph_transforms {

/// y * scale + offset, by channel of the output of a layer.
struct ChannelScale {
  std::vector<float> scale;
  std::vector<float> offset;  ///< empty: none
};

/// How many channels the layer gives; nothing when its weights are not a constant of floats, or are grouped in a way
/// that is not taken apart.
std::optional<std::int64_t> layer_channels(const Node& layer, const GraphEditor& editor);

/// The numbers of a Const that `layer`'s output is multiplied with, one for each channel; nothing when they are not
/// that.
std::optional<std::vector<float>> channel_factors(const Node& factors, const Node& layer, const GraphEditor& editor);

/// Changes weights and bias, so that the layer gives what `by` makes of it; false when it cannot.
Expected<bool> scale_layer(const Node& layer, const ChannelScale& by, GraphEditor& editor);

/// A layer with constant weights, without and with a bias; in the framework of the graph.
std::vector<OpTypePattern> layer_patterns(const Graph& graph);
/// A node of op `op` that reads a layer with weights, then `constants` Const.
std::vector<OpTypePattern> behind_layers(const Graph& graph, const std::string& op, std::size_t constants);

}  // namespace mo::graph_transforms
