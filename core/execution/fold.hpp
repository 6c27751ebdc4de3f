#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// Whether an op of this kind may be replaced by its value at all.
bool can_fold(const Node& node);
/// Every connected input is a Const, and there is at least one. Of a ScalarLike, which no element of its input matters
/// to: its value is known.
bool has_constant_inputs(const Node& node);
/// The value of output `i` of a node with constant inputs whose types are inferred: computed when small, shared when
/// the op only reinterprets, a recipe when large. An empty tensor when the value would be far larger than its inputs
/// and is better left to the runtime.
Expected<Tensor> fold_output(const Node& node, std::size_t i);

}  // namespace mo
