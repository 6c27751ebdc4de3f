#include "core/graph/copying.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/sorting.hpp"

namespace mo::graph_transforms {
namespace {

/// The same graph with its nodes in another order.
std::unique_ptr<Graph> in_order(const Graph& graph, const std::vector<Node>& order) {
  auto sorted = std::make_unique<Graph>();
  sorted->name = graph.name;
  sorted->properties = graph.properties;
  std::vector<Node> twins(graph.node_capacity());
  for (const Node& node : order) twins[node.id().index] = copy_unconnected(node, *sorted, node.name());
  for (const Node& node : order) {
    const Node twin = twins[node.id().index];
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      const auto connected =
          twin.in_port(port.index()).connect(twins[source.node().id().index].out_port(source.index()));
      MO_ASSERT(connected, "both nodes are of one graph");
    }
    for (const Node& before : node.control_inputs()) twin.add_control_input(twins[before.id().index]);
  }
  return sorted;
}

}  // namespace

/// Each node comes after what it reads and waits for.
void register_sort_by_execution_order(TransformRegistry& registry) {
  registry.register_transform("sort_by_execution_order", Scope::any, Numbers::same,
                              [](Graph& graph, const TransformFuncContext&) -> Expected<void> {
                                MO_ASSIGN(const std::vector<Node> order, sorted_by_execution_order(graph));
                                graph.adopt(in_order(graph, order));
                                return {};
                              });
  registry.describe("sort_by_execution_order", {"Puts each node after those that it reads", {}});
}

}  // namespace mo::graph_transforms
