#pragma once

#include <optional>

#include "core/rewrite.hpp"
#include "ops/convolution.hpp"

/// What the transformations of the library ask of the four kinds of convolution.
namespace mo::transformations {

/// Axes of the weights of a convolution.
struct WeightAxes {
  std::optional<std::size_t> group;
  std::size_t output = 0;
  std::size_t input = 1;
};
/// Nothing for other ops.
std::optional<WeightAxes> weight_axes(const Node& node);
/// A node of one of the four kinds, or a MatMul.
bool has_weights(const Node& node);

/// A constant that multiplies the channels (dimension 1) of `tensor`, in the shape that multiplies the channels along
/// `axis` of the weights (the groups of which, if any, lie along `group`): one number, or one for each channel. Empty
/// when it varies along another dimension, stretches the tensor, or when a size that counts is unknown.
Value factor_on_weights(Rewriter& rw, const Value& constant, const Value& tensor, const Value& weights,
                        std::optional<std::size_t> group, std::size_t axis);

}  // namespace mo::transformations
