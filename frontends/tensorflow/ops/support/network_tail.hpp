#pragma once

#include "core/op/data_layout.hpp"
#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// What follows a convolution or a matrix product in a network: bias, batch normalisation, activation.
namespace mo::tensorflow {

/// Where the channels of a tensor are. `spatial_rank` matters only when they are not last.
struct ChannelPlace {
  DataLayout layout = DataLayout::channels_last;
  std::size_t spatial_rank = 0;
};

/// A vector of one element per channel as a tensor that broadcasts to the data: [C] as it is, or as [C, 1, …, 1].
Value along_channels(Rewriter& rw, const Value& vector, ChannelPlace place);

/// Statistics and parameters of a batch normalisation, one element per channel; `scale` may be empty, which stands for
/// ones.
struct BatchNormInputs {
  Value scale;
  Value offset;
  Value mean;
  Value variance;
};

/// (x - mean) / sqrt(variance + epsilon) * scale + offset, as x * factor + shift: both fold to constants for constant
/// statistics.
Value batch_normalized(Rewriter& rw, const Value& x, const BatchNormInputs& inputs, double epsilon, ChannelPlace place);

/// `result` after the ops in the node's list `fused_ops`, whose inputs are those of `node` from `first_argument` on.
/// Numbers of the ops are the node's attributes `epsilon` and `leakyrelu_alpha`. Errors: MO-TF-0632 (an op that is not
/// known), MO-TF-0633 (inputs are missing).
Expected<Value> with_fused_ops(const FrameworkNode& node, Rewriter& rw, Value result, std::size_t first_argument,
                               ChannelPlace place);

}  // namespace mo::tensorflow
