#pragma once

#include "core/pass/rewriter.hpp"

/// Attention as plain arithmetic, for what does not know ScaledDotProductAttention (op set 13).
namespace mo::build {

/// The result of `node`, a ScaledDotProductAttention: MatMul, what hides scores, SoftMax, MatMul.
Value attention_in_parts(Rewriter& rw, const Node& node);

}  // namespace mo::build
