#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// The node `old_node_name` is called `new_node_name`, also where it is read. Error MO-GTT-0022 when there is a node of the new name.
void register_rename_node(TransformRegistry& registry) {
  registry.register_transform("rename_node", Scope::any, [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    MO_ASSIGN(const std::string from, context.required_string("old_node_name"));
    MO_ASSIGN(const std::string to, context.required_string("new_node_name"));
    if (to.empty()) return error("MO-GTT-0014", "the argument new_node_name is empty").hint("write new_node_name=y");
    GraphEditor editor(graph, context);
    if (const Node taken = editor.find(to))
      return taken.error("MO-GTT-0022", "there is a node called '{}' already", to).hint("choose a name that no node has");
    // A graph without the node stays as it is: the original does not ask either.
    if (const Node node = editor.find(from)) editor.rename(node, to);
    return {};
  });
}

}  // namespace mo::graph_transforms
