#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::examples {

/// a - b -> a + (-b)
Pass subtract() {
  return front_replacement_op("Subtract")
      .named("SubtractBySum")
      .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
        return rw.create(ops::Add{}, node.input(0), rw.create(ops::Negative{}, node.input(1)));
      });
}

}  // namespace mo::examples
