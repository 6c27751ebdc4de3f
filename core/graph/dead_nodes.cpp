#include "core/graph/dead_nodes.hpp"

namespace mo {

bool remove_dead_nodes(Graph& graph, const Needs& needs) {
  std::vector<std::uint8_t> needed(graph.node_capacity());
  std::vector<Node> open;
  const auto need = [&](const Node& node) {
    if (needed[node.id().index]) return;
    needed[node.id().index] = 1;
    open.push_back(node);
  };
  for (const Node& result : graph.results()) need(result);
  if (needs.parameters)
    for (const Node& parameter : graph.parameters()) need(parameter);
  if (needs.effects && graph.has_op_type([](const OpType& type) { return type.traits.stateful; }))
    for (const Node node : graph.nodes())
      if (node.op_type().traits.stateful && node.out_port_count() == 0) need(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i)) need(source.node());
    for (const Node& before : node.control_inputs())
      if (before.alive() && (!needs.control || needs.control(before))) need(before);
    if (!needs.further) continue;
    for (const Node& other : needs.further(node)) need(other);
  }
  bool removed = false;
  for (std::uint32_t i = graph.node_capacity(); i-- > 0;) {
    const Node node = graph.node(NodeId{i});
    if (!node.alive() || needed[i]) continue;
    graph.erase(node);
    removed = true;
  }
  return removed;
}

}  // namespace mo
