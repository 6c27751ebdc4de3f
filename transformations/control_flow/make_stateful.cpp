#include "core/rewrite.hpp"
#include "transformations/control_flow/support/input_states.hpp"

namespace mo::transformations {

/// MakeStateful: inputs and outputs by which a program hands a state from one run to the next become variables of the
/// model. Only with --transform; after the last clean-up, as an Assign has no readers.
void register_make_stateful(PassRegistry& passes) {
  passes.add(graph_pass("MakeStateful")
                 .described("Parameter … Result, by which a program passes a state from one run to the next",
                            "ReadValue … Assign",
                            "param_res_names specifies which: {'input':'output'}; their shapes are known")
                 .phase(Phase::finish)
                 .run_after({"FinalInference"})
                 .run_before({"CheckTarget"})
                 .disabled_by_default()
                 .settings<MakeStatefulSettings>()
                 .only_top_level()
                 .whole_graph("param_res_names names the nodes")
                 .run([](Graph& graph, PassContext& context) {
                   return make_stateful(graph, context.settings.get<MakeStatefulSettings>().param_res_names);
                 }));
}

}  // namespace mo::transformations
