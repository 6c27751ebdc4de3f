#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/rewrite.hpp"

namespace mo::front::tensorflow {

/// A variable to which each iteration adds the same number.
struct LoopCounter {
  std::int64_t step = 0;
  std::optional<std::int64_t> start;
  /// It numbers the iterations from 0 on.
  bool is_iteration() const { return step == 1 && start == 0; }
};

/// How often a loop runs, as far as counters decide it.
struct TripCount {
  Value count;              ///< i64 scalar outside of the loop, not negative; empty: no counter decides
  Value limit;              ///< when the count is exactly this number: a scalar of any integer type
  std::vector<Value> rest;  ///< what else the condition asks for, inside of the condition's graph
};

/// The counters among the variables. `next[i]` is what variable i, read as `parameters[i]`, becomes.
std::vector<std::optional<LoopCounter>> find_counters(const std::vector<Value>& parameters,
                                                      const std::vector<Value>& next, const std::vector<Value>& first);

/// Whether steps in which counter number `counter` has passed all elements of `lengths`, a tensor outside of the loop,
/// change nothing.
using FinishedBeyond = std::function<bool(std::size_t counter, const Value& lengths)>;

/// Splits the condition (over `parameters` of its graph) into comparisons of counters with what does not change, and
/// the rest. `first` are the first values of the variables outside, where the count is computed by `rw`; `fixed[i]`:
/// variable i never changes. min(size, max(lengths)) counts as `size` where steps beyond the lengths change nothing:
/// the number of steps is known then as soon as the size is.
Expected<TripCount> trip_count(Rewriter& rw, const Value& condition, const std::vector<Value>& parameters,
                               const std::vector<Value>& first, const std::vector<bool>& fixed,
                               const std::vector<std::optional<LoopCounter>>& counters,
                               const FinishedBeyond& finished_beyond);

}  // namespace mo::front::tensorflow
