#pragma once

#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/tensor/tensor.hpp"

namespace mo::transformations {

/// What states_to_inputs did.
struct FreedStates {
  bool changed = false;
  /// inputs whose variable had a known first value, with that value
  std::vector<std::pair<Node, Tensor>> first_values;
};

/// Each variable of the model becomes its last input and its last output. Those of a decoder
/// have the names of the caches (past_key_values.N.key, present.N.key), and the input beam_idx that selects rows of
/// them goes; others are called as the variable, and ID/next. A variable that keeps the first value that the model
/// computes becomes that value. Variables inside of bodies stay.
Expected<FreedStates> states_to_inputs(Graph& graph);

}  // namespace mo::transformations
