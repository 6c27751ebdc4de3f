#include "core/pass/library.hpp"
#include "extensions/back/support/input_states.hpp"

namespace mo::library::control_flow {

void register_make_stateful(PassLibrary& library) {
  library.add(graph_pass("MakeStateful")
                  .described("Parameter … Result, by which a program hands a state from one run to the next", "ReadValue … Assign",
                             "param_res_names says which: {'input':'output'}; their shapes are known")
                  .settings<back::MakeStatefulSettings>()
                  .only_top_level()
                  .whole_graph("param_res_names names the nodes")
                  .run([](Graph& graph, PassContext& context) {
                    return back::make_stateful(graph, context.settings.get<back::MakeStatefulSettings>().param_res_names);
                  }));
}

}  // namespace mo::library::control_flow
