#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite.hpp"
#include "transformations/control_flow/support/state_pairs.hpp"

namespace mo::transformations {

struct MakeStatefulSettings {
  std::string param_res_names;  ///< "{'input':'output','input2':'output2'}", as it is written for Python
  static constexpr auto attributes = Attributes{attr("param_res_names", &MakeStatefulSettings::param_res_names)};
};

/// An input and an output that become a variable.
struct InputState {
  Node parameter;
  Node result;
  std::string variable;
};

/// The ends of those names, but for pairs that are variables already. Error MO-CONFIG-0051 (no such input or output),
/// which calls the pass by name.
Expected<std::vector<InputState>> find_states(const Graph& graph, const std::vector<StatePair>& pairs,
                                              std::string_view pass);

/// The size of a state along an axis where it is unknown, as a length (ops/build/lengths.hpp); empty when nothing tells
/// it: then it is the smallest that it can be.
using SizeOfState = std::function<Value(Rewriter& rw, const Dimension& dimension, std::size_t axis)>;

/// Each Parameter becomes a variable that begins with zeros, each Result what it is set to. Errors: MO-CONFIG-0051 (a
/// state of unknown rank, called by the name of the pass), those of inference.
Expected<void> make_variables(Graph& graph, const std::vector<InputState>& states, const SizeOfState& size,
                              std::string_view pass);

}  // namespace mo::transformations
