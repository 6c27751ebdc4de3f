#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/build/lengths.hpp"
#include "transformations/control_flow/support/input_states.hpp"

namespace mo::transformations {
namespace {

constexpr std::string_view kMakeStateful = "MakeStateful";

/// The size of an input that stays, where it is the same in every run.
Value same_size_of_input(Rewriter& rw, const Dimension& dimension, const std::vector<Node>& states) {
  for (const Node& input : rw.graph().parameters()) {
    if (std::find(states.begin(), states.end(), input) != states.end()) continue;
    const PartialShape& shape = input.output_type().shape;
    for (std::size_t axis = 0; shape.has_rank() && axis < shape.size(); ++axis)
      if (shape[axis].same_value(dimension))
        return build::length_along(rw, input.output(), static_cast<std::int64_t>(axis));
  }
  return {};
}

Expected<bool> run_make_stateful(Graph& graph, PassContext& context) {
  const std::string& names = context.settings.get<MakeStatefulSettings>().param_res_names;
  MO_ASSIGN(const std::vector<StatePair> pairs, parse_state_pairs(names, kMakeStateful));
  MO_ASSIGN(const std::vector<InputState> states, find_states(graph, pairs, kMakeStateful));
  if (states.empty()) return false;
  std::vector<Node> inputs;
  for (const InputState& state : states) inputs.push_back(state.parameter);
  MO_TRY(make_variables(
      graph, states,
      [&inputs](Rewriter& rw, const Dimension& dimension, std::size_t) {
        return same_size_of_input(rw, dimension, inputs);
      },
      kMakeStateful));
  return true;
}

}  // namespace

/// MakeStateful: inputs and outputs by which a program hands a state from one run to the next become variables of the
/// model. Only with --transform; after the last clean-up, as an Assign has no readers.
void register_make_stateful(PassRegistry& passes) {
  passes.add(graph_pass(std::string(kMakeStateful))
                 .described("Parameter … Result, by which a program passes a state from one run to the next",
                            "ReadValue … Assign",
                            "param_res_names specifies which: {'input':'output'}. They begin with zeros; an unknown "
                            "size is that of an input of the model that has the same size, or else the smallest "
                            "possible one")
                 .phase(Phase::finish)
                 .run_after({"FinalInference"})
                 .run_before({"CheckTarget"})
                 .disabled_by_default()
                 .settings<MakeStatefulSettings>()
                 .only_top_level()
                 .whole_graph("param_res_names names the nodes")
                 .run(run_make_stateful));
}

}  // namespace mo::transformations
