#pragma once

#include <functional>

#include "core/rewrite.hpp"

namespace mo::back {

struct LowLatencySettings {
  bool use_const_initializer = true;  ///< states begin with zeros; otherwise with what the loop gets at its first run
  static constexpr auto attributes = std::tuple{attr("use_const_initializer", &LowLatencySettings::use_const_initializer)};
};

/// What a state begins with, given what the loop gets.
using FirstState = std::function<Value(Rewriter&, const Value&)>;

/// What the bodies of the Loops and TensorIterators of the graph hand on from one iteration to the next becomes variables: read before the node, kept
/// behind it. Loops that have it already stay. Asks the context for each loop. Says whether something changed.
Expected<bool> keep_loop_states(Graph& graph, const PassContext& context, const FirstState& first_state);

}  // namespace mo::back
