#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::examples {

/// SquaredDifference(a, b) -> (a + (-b)) * (a + (-b)), for a runtime that has no subtraction.
Pass squared_difference() {
  return front_replacement_op("SquaredDifference")
      .named("SquaredDifferenceBySum")
      .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
        const Value negated = rw.create(ops::Negative{}, node.input(1));
        const Value difference = rw.create(ops::Add{}, node.input(0), negated);
        return rw.create(ops::Multiply{}, difference, difference);
      });
}

}  // namespace mo::examples
