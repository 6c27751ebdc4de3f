#pragma once

#include <string>
#include <vector>

#include "frontends/tensorflow/model_state.hpp"
#include "frontends/tensorflow/tensor_of_model.hpp"

namespace mo::tensorflow {

/// The first node of each name, as the graph is now. Made in O(nodes and names).
class NodesByName {
 public:
  explicit NodesByName(Graph& graph);
  /// None when there is none.
  Node find(std::string_view name) const;

 private:
  Graph& graph_;
  std::vector<NodeId> nodes_;  ///< by the id of the name
};

/// The tensor that a signature or a user writes as "node:port" or "node".
TensorOfModel tensor_of_text(std::string_view text);

/// Results for these tensors, in this order; `keys` are further names of the tensors (of a signature), as many or none.
/// Error MO-TF-0006 for an unknown node.
Expected<void> add_results(Graph& graph, const std::vector<TensorOfModel>& tensors,
                           const std::vector<std::string>& keys = {});

/// Results for what the user asks for, as far as it is in this graph (names inside of functions are not yet). Says
/// whether all of it was found.
bool add_requested_results(Graph& graph, const std::vector<std::string>& requested);

/// Results that keep the inputs of these names; the caller erases them.
std::vector<Node> hold_inputs(Graph& graph, const std::vector<std::string>& inputs);

/// What else a graph may hold: nothing (it is frozen), or all that its training needed (a MetaGraph).
enum class Stage { frozen, training };

/// Lets what waits for a NoOp in a branch of a conditional wait for the branch's pivot itself, so that the NoOp is not
/// needed.
void hang_on_pivots(Graph& graph);

/// Adds Results for all nodes without readers, except those that exist for their effects (summaries, assignments,
/// saving), and those that another node waits for by a control edge, unless all of them are such. In a graph of the
/// training stage neither for what iterations of loops leave unread, nor for Exits and what no input of the model leads
/// to, when there is more. Error MO-TF-0013 when there is none.
Expected<void> add_results_of_sinks(Graph& graph, Stage stage);

/// What only runs before something that is needed, by control edges.
enum class Effects { removed, kept };
/// Parameters that nothing reads: those of a body are its interface.
enum class Arguments { removed, kept };

/// Removes what no Result needs. Kept besides: what fills a look-up table that is needed, and the switches on which
/// branches of conditionals hang by control edges.
void remove_unneeded(Graph& graph, Effects effects = Effects::removed, Arguments arguments = Arguments::removed);

/// Puts the functions of the library in place of their calls ("<call>/<inner node>"), and graphs in place of the names
/// of functions in the attributes of If, While and Case. Errors: MO-TF-0014 (recursion, with the cycle), MO-TF-0010
/// (too many nodes), MO-TF-0015 (too deep), MO-TF-0016 (no such function), MO-TF-0012.
Expected<void> inline_functions(ModelState& model, Graph& graph);

}  // namespace mo::tensorflow
