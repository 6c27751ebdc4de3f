#pragma once

#include <optional>
#include <vector>

#include "transformations/support/loop_parts.hpp"

/// The recognition of loops that do nothing but run recurrent cells over sequences.
namespace mo::transformations {

/// A cell in a body: what it gets and where its states are.
struct LoopedCell {
  Node cell;
  /// x is a slice of this sliced input …
  const ops::InputMap* slices = nullptr;
  /// … or the state that this cell, counted in the plan, gives in the same step.
  std::size_t below = 0;
  std::vector<const ops::InputMap*> states;  ///< first values of h and, for an LSTM, c
  std::vector<std::int64_t> state_results;   ///< Results that are the next h and c
};

/// An output of the loop.
struct LoopedOutput {
  std::size_t output = 0;
  std::size_t cell = 0;
  std::size_t state = 0;             ///< 0: h, 1: c
  std::optional<std::int64_t> axis;  ///< of the steps, put together: 0 or 1; nothing: the last state
};

struct RecurrentLoop {
  std::vector<LoopedCell> cells;
  std::vector<LoopedOutput> outputs;
  Value lengths;         ///< outside: in each sequence, how many steps count; empty: all
  bool reverse = false;  ///< from the last slice to the first
};

/// Nothing when the body does anything else.
std::optional<RecurrentLoop> recurrent_loop(const Node& node);

/// The input of the loop that a tensor of the body is in every iteration; null for anything else.
const ops::InputMap* fixed_input(const LoopParts& parts, const Value& inner);

}  // namespace mo::transformations
