#include <algorithm>

#include "ops/loop.hpp"
#include "ops/reshape.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The release gives comparisons of scalars the shape [1,1,1,1]; a Reshape to another rank makes it a scalar or vector
/// again.
bool needs_rank(const Value& condition) {
  if (!condition || condition.node().is<Const>() || condition.node().is<Parameter>()) return false;
  const auto rank = condition.type().rank();
  if (!rank || *rank > 1) return false;
  const Node node = condition.node();
  return !node.is<ops::Reshape>() || node.input_type(0).rank() == rank;
}

/// [] -> [1], and [1] -> []: a Reshape to the shape that it has would be removed.
Value with_other_rank(Rewriter& rw, const Value& condition) {
  std::vector<std::int64_t> shape;
  if (condition.type().rank() == 0) shape.push_back(1);
  return rw.create(ops::Reshape{.special_zero = false}, condition, rw.integers(shape));
}

/// The Result of the body that says whether to go on.
Node condition_of(const ops::Loop& loop) {
  const std::vector<Node> results = loop.body.graph().results();
  for (const ops::OutputMap& map : loop.output_map)
    if (map.output == -1 && static_cast<std::size_t>(map.result) < results.size())
      return results[static_cast<std::size_t>(map.result)];
  return {};
}

Replacement shape_conditions(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto* const loop = node.as<ops::Loop>();
  const Node next = loop ? condition_of(*loop) : Node();
  const bool shapes_next = next && needs_rank(next.input(0));
  const bool shapes_first = node.in_port_count() > 1 && needs_rank(node.input(1));
  if (!shapes_next && !shapes_first)
    return declined("its conditions are constants, Parameters, or were given another rank");
  if (shapes_next) {
    Rewriter inner(node.as<ops::Loop>()->body.graph());
    inner.set_input(next, 0, with_other_rank(inner, next.input(0)));
    if (inner.error()) return *inner.error();
  }
  if (shapes_first) rw.set_input(node, 1, with_other_rank(rw, node.input(1)));
  return remade(node, rw);
}

}  // namespace

void register_computed_loop_conditions(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "ComputedLoopConditions",
          {.form = "Loop whose first or next condition is computed",
           .symptom = "the model does not compile: \"Rank of ExecutionCondition input must be equal to 0 or 1\"",
           .first = "2021.4",
           .last = "2021.4",
           .replacement =
               "the condition reshaped from a scalar to a vector of one element, or from such a vector to a scalar"})
          .add(RewriteRule("ShapeOfCondition", {"Loop"}, std::nullopt, shape_conditions)));
}

}  // namespace mo::transformations
