#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/assign.hpp"
#include "ops/broadcast.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/control_flow/support/iterations.hpp"
#include "transformations/control_flow/support/kept_states.hpp"
#include "transformations/control_flow/support/unrolling.hpp"
#include "transformations/support/computed_values.hpp"

namespace mo::transformations {
namespace {

/// Zeros of the shape that the tensor has at run time, so that the model stays reshape-able.
Value zeros_like(Rewriter& rw, const Value& value) {
  auto zero = from_reals(value.type().element_type, {1}, {0.0});
  if (!zero) return value;
  return rw.create(ops::Broadcast{}, rw.constant(*std::move(zero)), rw.create(ops::ShapeOf{}, value));
}

/// Runtimes look for the outputs of the loop by name: a pair of ops that changes nothing carries it.
Value carrier(Rewriter& rw, const Value& value) {
  const Value axis = rw.integers({1});
  return rw.create(ops::Squeeze{}, rw.create(ops::Unsqueeze{}, value, axis), axis);
}

/// The body in place of a loop that runs once.
Expected<void> inline_single_iteration(Graph& graph, const Node& loop) {
  Rewriter rw(graph);
  Replacement made = unroll(loop, rw);
  if (made.error()) return *std::move(made.error());
  if (made.is_declined()) return {};
  Outputs outputs = made.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    bool is_read = false;
    for (const InPort& reader : loop.out_port(i).get_destinations())
      if (reader.node().is<ops::Assign>())
        rw.set_input(reader.node(), reader.index(), outputs[i]);
      else
        is_read = true;
    // needs a place for a second dimension
    if (is_read && outputs[i].type().rank().value_or(0) > 0) outputs[i] = carrier(rw, outputs[i]);
  }
  rw.replace(loop, outputs);
  return rw.error() ? Expected<void>(Error(*rw.error())) : Expected<void>();
}

/// Runs after the last clean-up of a conversion: an Assign has no readers.
Expected<bool> run(Graph& graph, PassContext& context) {
  const bool zeros = context.settings.get<LowLatencySettings>().use_const_initializer;
  // Constants of the model stay, so that its first run gives the same numbers as without states.
  MO_ASSIGN(const bool changed, keep_states(graph, context, [zeros](Rewriter& rw, const Value& first) {
              return zeros && is_computed(first) ? zeros_like(rw, first) : first;
            }));
  if (!changed) return false;
  std::vector<Node> loops;
  for (const Node node : graph.nodes())
    if (const auto parts = loop_parts(node);
        parts && !parts->back_edges->empty() && iteration_count(node, *parts) == 1 && !context.skips(node))
      loops.push_back(node);
  for (const Node& loop : loops) MO_TRY(inline_single_iteration(graph, loop));
  return true;
}

}  // namespace

/// A recurrent model is run step by step, and its loops and sequences keep their state between two runs. In a
/// conversion only with --transform.
void register_low_latency2(PassRegistry& passes) {
  passes.add(graph_pass("LowLatency2")
                 .described("a TensorIterator or Loop with back edges, a recurrent sequence",
                            "ReadValue before it and Assign after it for each state",
                            "a loop that runs once is replaced by its body; use_const_initializer: states that begin "
                            "with what the model computes begin with zeros; steps that go backwards keep no state")
                 .phase(Phase::finish)
                 .run_after({"FinalInference"})
                 .run_before({"CheckTarget"})
                 .disabled_by_default()
                 .settings<LowLatencySettings>()
                 .only_top_level()
                 .asks_nodes()
                 .run(run));
}

}  // namespace mo::transformations
