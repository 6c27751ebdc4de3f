#pragma once

#include <span>

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

/// Calls `change(node, values)` for each Const of at least `least` floats. Error MO-GTT-0023 for a Const without a type
/// or a value.
Expected<void> each_float_constant(Graph& graph, std::int64_t least,
                                   const std::function<Expected<void>(const Node&, const Tensor&)>& change);

/// The smallest and the largest of `values`. The largest begins with the smallest positive float, as in the original:
/// what is negative throughout has that.
struct ValueRange {
  float min = 0;
  float max = 0;
};
ValueRange range_of(std::span<const float> values);

/// The number of columns of the weights of a layer, those that share a factor: the last dimension of Conv2D and MatMul,
/// the last two of DepthwiseConv2dNative. Nothing when the rank is not that of such weights.
std::optional<std::int64_t> weight_columns(const Node& layer, const Tensor& weights);
/// weights[i] * factors[i mod number of factors]. Error MO-CORE-0001.
Expected<Tensor> scaled_columns(const Tensor& weights, std::span<const float> factors);

}  // namespace mo::graph_transforms
