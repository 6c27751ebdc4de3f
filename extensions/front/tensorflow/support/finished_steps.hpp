#pragma once

#include "extensions/front/tensorflow/support/trip_count.hpp"

namespace mo::front::tensorflow {

/// The variables of a loop: what the body reads and makes, and their first values outside.
struct LoopVariables {
  const std::vector<Value>& parameters;
  const std::vector<Value>& next;
  const std::vector<Value>& first;
  const std::vector<std::optional<LoopCounter>>& counters;
  const std::vector<bool>& read;  ///< after the loop
};

/// Whether all steps in which counter number `counter` has passed all elements of `lengths` (a tensor outside of the
/// loop) change nothing but counters that no one reads after the loop, which is how dynamic_rnn treats sequences that
/// have ended: states are select(counter >= lengths, old, new), and lists get zeros, which is what they hold where
/// nothing is written.
bool changes_nothing_beyond(const LoopVariables& variables, std::size_t counter, const Value& lengths);

}  // namespace mo::front::tensorflow
