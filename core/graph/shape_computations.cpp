#include "core/graph/shape_computations.hpp"

namespace mo {

std::vector<std::uint8_t> shape_computations(const Graph& graph) {
  std::vector<std::uint8_t> marked(graph.node_capacity());
  std::vector<Node> open;
  const auto mark = [&](const Value& value) {
    if (!value || marked[value.node().id().index]) return;
    marked[value.node().id().index] = 1;
    open.push_back(value.node());
  };
  for (const Node node : graph.nodes()) {
    const std::uint32_t shapes = node.op_type().traits.shape_inputs;
    for (std::size_t i = 0; shapes != 0 && i < node.in_port_count() && i < 32; ++i)
      if ((shapes >> i) & 1U) mark(node.input(i));
  }
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.op_type().traits.shape_of || node.is<Parameter>()) continue;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) mark(node.input(i));
  }
  return marked;
}

}  // namespace mo
