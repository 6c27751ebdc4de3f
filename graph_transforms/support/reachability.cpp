#include "graph_transforms/support/reachability.hpp"

#include "graph_transforms/engine/names.hpp"

namespace mo::graph_transforms {

Expected<std::vector<bool>> reachable_nodes(GraphEditor& editor) {
  const TransformFuncContext& context = editor.context();
  std::vector<bool> is_needed(editor.graph().node_capacity(), false);
  std::vector<Node> open;
  const auto need = [&](const Node& node) {
    if (is_needed[node.id().index]) return;
    is_needed[node.id().index] = true;
    open.push_back(node);
  };
  for (const std::string& output : context.output_names) {
    const Node node = editor.find_referred(output);
    if (!node)
      return error("MO-GTT-0018", "Input node {} not found in graph", node_name_from_input(output))
          .hint("--outputs names nodes of the graph: look at them with summarize_graph");
    need(node);
  }
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (context.is_input(node.name())) continue;
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) need(source.node());
    for (const Node& before : node.control_inputs()) need(before);
  }
  for (const std::string& input : context.input_names)
    if (const Node node = editor.find_referred(input)) is_needed[node.id().index] = true;
  return is_needed;
}

Expected<void> erase_unreachable(GraphEditor& editor) {
  MO_ASSIGN(const std::vector<bool> is_reachable, reachable_nodes(editor));
  std::vector<Node> others;
  for (const Node node : editor.graph().nodes())
    if (!is_reachable[node.id().index]) others.push_back(node);
  for (const Node& node : others) editor.erase(node);
  return {};
}

}  // namespace mo::graph_transforms
