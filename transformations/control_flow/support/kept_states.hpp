#pragma once

#include <functional>

#include "core/rewrite.hpp"

namespace mo::transformations {

struct LowLatencySettings {
  /// no state begins with what an input of the model gives; otherwise with what the loop gets at its first run
  bool use_const_initializer = true;
  static constexpr auto attributes =
      Attributes{attr("use_const_initializer", &LowLatencySettings::use_const_initializer)};
};

/// What a state begins with, given what the loop or sequence gets.
using FirstState = std::function<Value(Rewriter&, const Value&)>;

/// What the Loops, TensorIterators and recurrent sequences of the graph hand on from one step to the next becomes
/// variables: read before the node, set after it. Integers that count the steps do not. Nodes that have variables
/// already stay. Asks the context for each node. Says whether something changed. Warnings: MO-BACK-0009 (there is no
/// state to keep), MO-BACK-0010 (steps from the end to the start keep no state, as the next run brings no steps before
/// theirs; of both directions the forward one keeps its state).
Expected<bool> keep_states(Graph& graph, const PassContext& context, const FirstState& first_state);

}  // namespace mo::transformations
