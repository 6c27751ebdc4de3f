#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Returns true if this node may be fused into its weights: not with --disable_fusing, nor where an expression of
/// --finegrain_fusing occurs in its name, or in that of a framework node which it stands for.
bool may_fuse(const Node& node, const PassContext& context);

/// A constant that multiplies or shifts the channels of `tensor` (dimension 1; for rank 2 results of MatMul the last
/// one): its elements as a vector of one per channel, or a scalar. Empty when it varies along another dimension or when
/// the result would have another shape. `channel_axis` counts from the front.
Value as_channel_vector(Rewriter& rw, const Value& constant, const Value& tensor, std::size_t channel_axis);

/// `vector` ([C] or scalar) as a constant of `rank` dimensions with C at `axis`.
Value along_axis(Rewriter& rw, const Value& vector, std::size_t rank, std::size_t axis);

}  // namespace mo::transformations
