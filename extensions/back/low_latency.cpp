#include "core/rewrite.hpp"
#include "extensions/back/support/computed_values.hpp"
#include "extensions/back/support/kept_states.hpp"
#include "ops/broadcast.hpp"
#include "ops/shape_of.hpp"

namespace mo::back {
namespace {

/// Zeros like `value`.
Value zeros_like(Rewriter& rw, const Value& value) {
  const Value zero = rw.scalar_like(value, 0);
  const auto shape = value.type().shape.to_shape();
  return rw.create(ops::Broadcast{}, zero,
                   shape ? rw.integers({shape->begin(), shape->end()}) : rw.create(ops::ShapeOf{}, value));
}

/// Runs behind the last clean-up: nobody reads an Assign.
Expected<bool> run_low_latency(Graph& graph, PassContext& context) {
  const bool constant = context.settings.get<LowLatencySettings>().use_const_initializer;
  // Constants of the model stay, so that its first run gives the same numbers as without states.
  return keep_states(graph, context, [constant](Rewriter& rw, const Value& first) {
    return constant && is_computed(first) ? zeros_like(rw, first) : first;
  });
}

}  // namespace

/// LowLatency2: a recurrent model is run step by step, and its loops and sequences keep their state between two runs.
/// Only with --transform.
void register_low_latency(PassRegistry& passes) {
  passes.add(graph_pass("LowLatency2")
                 .phase(Phase::finish)
                 .run_after({"FinalInference"})
                 .run_before({"CheckTarget"})
                 .disabled_by_default()
                 .settings<LowLatencySettings>()
                 .only_top_level()
                 .run(run_low_latency));
}

}  // namespace mo::back
