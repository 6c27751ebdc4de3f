#include "tools/inspect/costs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/graph/bodies.hpp"

namespace mo::tools {
namespace {

using Count = std::optional<std::int64_t>;

Count product(Count a, Count b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Count elements(const TensorType& type) { return type.shape.element_count(); }

Count quotient(Count a, Count b) { return a && b && *b > 0 ? Count(*a / *b) : std::nullopt; }

Count dimension(const TensorType& type, std::int64_t axis) {
  const auto rank = type.rank();
  if (!rank || axis < -*rank || axis >= *rank) return std::nullopt;
  const Dimension& dim = type.shape[static_cast<std::size_t>(axis < 0 ? axis + *rank : axis)];
  return dim.is_known() ? Count(dim.value()) : std::nullopt;
}

/// Each element of one channel of `image` meets each weight once: of the output of a convolution, of the input of a
/// transposed one.
Count convolution(const Node& node, const TensorType& image) {
  const std::int64_t channel_axis = node.op_type().is_channels_last(node.payload()) ? -1 : 1;
  return product(quotient(elements(image), dimension(image, channel_axis)), elements(node.input_type(1)));
}

/// Each element of the result is a sum over the inner dimension.
Count mat_mul(const Node& node) {
  const TensorType& left = node.input_type(0);
  const bool transposed = node.attr<bool>("transpose_a").value_or(false) && left.rank().value_or(0) > 1;
  return product(elements(node.output_type()), dimension(left, transposed ? -2 : -1));
}

/// The gates' products with input and state, at each step: every weight once for each row of the data.
Count recurrent(const Node& node, std::size_t weights, bool is_sequence) {
  const TensorType& data = node.input_type(0);
  const Count rows = is_sequence ? product(dimension(data, 0), dimension(data, 1)) : dimension(data, 0);
  const Count w = elements(node.input_type(weights));
  const Count r = elements(node.input_type(weights + 1));
  return w && r ? product(rows, *w + *r) : std::nullopt;
}

/// Nothing: the op multiplies no tensors.
std::optional<Count> cost_of(const Node& node) {
  const std::string_view type = node.type();
  if (type == "Convolution" || type == "GroupConvolution" || type == "BinaryConvolution")
    return convolution(node, node.output_type());
  if (type == "DeformableConvolution")
    return product(quotient(elements(node.output_type()), dimension(node.output_type(), 1)),
                   elements(node.input_type(2)));
  if (type == "ConvolutionBackpropData" || type == "GroupConvolutionBackpropData")
    return convolution(node, node.input_type(0));
  if (type == "MatMul") return mat_mul(node);
  if (type == "LSTMCell") return recurrent(node, 3, false);
  if (type == "GRUCell" || type == "RNNCell") return recurrent(node, 2, false);
  if (type == "LSTMSequence") return recurrent(node, 4, true);
  if (type == "GRUSequence" || type == "RNNSequence") return recurrent(node, 3, true);
  return std::nullopt;
}

/// The name of the node; of a part of a translated operator, which has none yet, that of the operator.
std::string shown_name(const Node& node) {
  const std::vector<std::string_view> sources = node.sources();
  return std::string(node.name().empty() && !sources.empty() ? sources.front() : node.name());
}

}  // namespace

std::vector<LayerCost> costs_of(const Graph& graph) {
  std::vector<LayerCost> costs;
  for (const Graph* each : with_bodies(const_cast<Graph&>(graph))) {
    const auto add = [&](const Node& node) {
      if (const auto cost = cost_of(node)) costs.push_back({shown_name(node), std::string(node.type()), *cost});
    };
    if (const auto order = each->topological_order())
      std::for_each(order->begin(), order->end(), add);
    else
      for (const Node node : each->nodes()) add(node);
  }
  return costs;
}

}  // namespace mo::tools
