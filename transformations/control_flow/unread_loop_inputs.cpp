#include <algorithm>

#include "core/graph/dead_nodes.hpp"
#include "transformations/support/loop_parameters.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// Whether nothing comes of the Parameter but, at most, its own value in the next step.
bool leads_nowhere(const LoopParts& parts, std::size_t place, const std::vector<Node>& parameters,
                   const std::vector<Node>& results) {
  const auto feeds_itself = [&](const InPort& reader) {
    const auto found = std::find(results.begin(), results.end(), reader.node());
    if (found == results.end()) return false;
    const std::int64_t result = found - results.begin();
    const auto is_output = [&](const ops::OutputMap& map) { return map.result == result; };
    const auto goes_elsewhere = [&](const ops::BackEdge& edge) {
      return edge.result == result && edge.parameter != static_cast<std::int64_t>(place);
    };
    return std::none_of(parts.outputs->begin(), parts.outputs->end(), is_output) &&
           std::none_of(parts.back_edges->begin(), parts.back_edges->end(), goes_elsewhere);
  };
  const std::vector<InPort> readers = parameters[place].output().get_destinations();
  return std::all_of(readers.begin(), readers.end(), feeds_itself);
}

/// By place of the Parameter: whether the loop does without it.
std::vector<bool> unread_parameters(const Node& owner, const LoopParts& parts) {
  const std::vector<Node> parameters = parts.body->parameters();
  const std::vector<Node> results = parts.body->results();
  std::vector<bool> unread;
  for (std::size_t i = 0; i < parameters.size(); ++i) unread.push_back(leads_nowhere(parts, i, parameters, results));
  keep_step_count(owner, unread);
  return unread;
}

/// Once a Parameter is gone, what fed it from the end of the body may be dead, too, and with it the reader of another
/// Parameter.
Expected<bool> drop_unread(Graph& graph) {
  Rewriter rw(graph);
  std::vector<Node> owners;
  for (const Node node : graph.nodes())
    if (node.op_type().traits.owns_bodies) owners.push_back(node);
  for (Node owner : owners) {
    while (const auto parts = loop_parts(owner)) {
      remove_dead_nodes(*parts->body);
      const Node made = without_parameters(owner, rw, unread_parameters(owner, *parts));
      if (rw.error()) return *rw.error();
      if (made == owner) break;
      owner = made;
    }
  }
  return rw.has_changed();
}

}  // namespace

/// Inputs of a Loop or a TensorIterator that its body does not read, such as the condition and the counter that ONNX
/// hands to every body, go, with the Results that only fed them: the runtime of 2021.4 refuses a body Parameter that no
/// Result needs.
void register_unread_loop_inputs(PassRegistry& passes) {
  passes.add(graph_pass("UnreadLoopInputs")
                 .run_after({"LoopConstants", "RecurrentSequenceFusion", "LoopUnrolling"})
                 .run([](Graph& graph, PassContext&) { return drop_unread(graph); }));
}

}  // namespace mo::transformations
