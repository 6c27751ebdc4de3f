#include "graph_transforms/engine/sorting.hpp"

#include <algorithm>

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {
namespace {

bool is_merge(const Node& node) {
  const std::string_view op = op_of(node);
  return op == "Merge" || op == "RefMerge" || op == "_XlaMerge";
}

}  // namespace

std::vector<Node> sortable_nodes(const Graph& graph) {
  // Kahn's algorithm with a stack of what is ready.
  std::vector<std::uint32_t> pending(graph.node_capacity(), 0);
  std::vector<std::vector<NodeId>> readers(graph.node_capacity());
  std::vector<Node> ready;
  for (const Node node : graph.nodes()) {
    std::uint32_t tensors = 0;
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) {
        ++tensors;
        readers[source.node().id().index].push_back(node.id());
      }
    const std::vector<Node> control = node.control_inputs();
    for (const Node& before : control) readers[before.id().index].push_back(node.id());
    pending[node.id().index] =
        (is_merge(node) ? std::min(tensors, 1U) : tensors) + static_cast<std::uint32_t>(control.size());
    if (pending[node.id().index] == 0) ready.push_back(node);
  }
  std::vector<Node> sorted;
  sorted.reserve(graph.node_count());
  while (!ready.empty()) {
    const Node node = ready.back();
    ready.pop_back();
    sorted.push_back(node);
    for (const NodeId reader : readers[node.id().index])
      if (pending[reader.index] > 0 && --pending[reader.index] == 0) ready.push_back(graph.node(reader));
  }
  return sorted;
}

Expected<std::vector<Node>> sorted_by_execution_order(const Graph& graph) {
  std::vector<Node> sorted = sortable_nodes(graph);
  const std::size_t left = graph.node_count() - sorted.size();
  if (left == 0) return sorted;
  std::vector<bool> is_sorted(graph.node_capacity(), false);
  for (const Node& node : sorted) is_sorted[node.id().index] = true;
  for (const Node node : graph.nodes())
    if (!is_sorted[node.id().index])
      return node.error("MO-GTT-0020", "{} nodes in a cycle, or after one", left)
          .hint("loops go through Merge and NextIteration; export the model again");
  return sorted;
}

}  // namespace mo::graph_transforms
