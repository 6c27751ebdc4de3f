#include <algorithm>

#include "core/op/runtimes.hpp"
#include "core/rewrite.hpp"
#include "ops/loop.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// Nothing limits the trips, the condition holds, and the body says that it does so again.
bool never_ends(const Node& loop, const LoopParts& parts) {
  if (constant_integer(loop.input(0)).value_or(0) >= 0 || constant_integer(loop.input(1)) != 1) return false;
  if (std::any_of(parts.inputs->begin(), parts.inputs->end(),
                  [](const ops::InputMap& map) { return map.axis.has_value(); }))
    return false;
  const std::vector<Node> results = parts.body->results();
  return std::any_of(parts.outputs->begin(), parts.outputs->end(), [&](const ops::OutputMap& map) {
    return map.output == -1 && constant_integer(results[static_cast<std::size_t>(map.result)].input(0)) == 1;
  });
}

Expected<bool> check_loops(Graph& graph, PassContext& context) {
  for (const Node node : graph.nodes()) {
    const auto parts = node.is<ops::Loop>() ? loop_parts(node) : std::nullopt;
    if (!parts) continue;
    if (never_ends(node, *parts))
      return node.error("MO-OPS-0426", "the loop never ends: it has no trip count, and its condition is always true")
          .hint(
              "give the loop a condition or a number of iterations in the model, or cut the model before it with "
              "--output");
    if (constant_integer(node.input(0)) == 0 || constant_integer(node.input(1)) == 0)
      context.diagnostics.report(node.warning("MO-OPS-0427", "the loop has no iterations, so what it collects is empty")
                                     .hint("runtimes up to {} give such outputs another shape; check the trip "
                                           "count, or cut the model after the loop",
                                           last_release::reshaping_empty_loops));
  }
  return false;
}

}  // namespace

/// Loops whose limits are known and make no sense for a runtime: those that never end are refused, those that never run
/// and could not be taken out (LoopUnrolling) are told.
void register_loop_limits(PassRegistry& passes) {
  passes.add(graph_pass("LoopLimits").looks_for<ops::Loop>().run_after({"LoopUnrolling"}).run(check_loops));
}

}  // namespace mo::transformations
