#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/function_calls.hpp"

namespace mo::graph_transforms {

/// Nodes of a function take the place of the PartitionedCall that calls it, as "call/node". Calls inside of the
/// function stay calls.
void register_inline_partitionedcall(TransformRegistry& registry) {
  registry.register_transform("inline_partitionedcall", Numbers::same,
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                GraphEditor editor(graph, context);
                                std::vector<Node> calls;
                                for (const Node node : graph.nodes())
                                  if (op_of(node) == "PartitionedCall") calls.push_back(node);
                                for (const Node& call : calls) MO_TRY(inline_call(editor, call));
                                return {};
                              });
  registry.describe("inline_partitionedcall", {"Replaces each PartitionedCall by the nodes of its function", {}});
}

}  // namespace mo::graph_transforms
