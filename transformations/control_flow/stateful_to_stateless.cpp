#include "core/rewrite.hpp"
#include "ops/assign.hpp"
#include "ops/read_value.hpp"
#include "transformations/control_flow/support/freed_states.hpp"

namespace mo::transformations {

/// MakeStateful and StatefulDecoder turned back.
void register_stateful_to_stateless(PassRegistry& passes) {
  passes.offer(
      graph_pass("StatefulToStateless")
          .described("ReadValue … Assign", "Parameter … Result",
                     "the names of a decoder's caches are those of before (past_key_values.N.key, "
                     "present.N.key), other variables are called ID and ID/next; the input beam_idx goes where "
                     "it only selects rows of states. A variable that keeps its first value, which the model "
                     "computes, becomes that value")
          .looks_for<ops::ReadValue, ops::Assign>()
          .only_top_level()
          .whole_graph("the states of a model belong together")
          .run([](Graph& graph, PassContext&) -> Expected<bool> {
            MO_ASSIGN(const FreedStates freed, states_to_inputs(graph));
            return freed.changed;
          }));
}

}  // namespace mo::transformations
