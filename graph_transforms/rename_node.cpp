#include <algorithm>

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {

/// The node `old_node_name` is called `new_node_name`, also where it is read. Error MO-GTT-0022 when there is a node of
/// the new name.
void register_rename_node(TransformRegistry& registry) {
  registry.register_transform(
      "rename_node", Scope::any, Numbers::same,
      [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
        MO_ASSIGN(const std::string from, context.required_string("old_node_name"));
        MO_ASSIGN(const std::string to, context.required_string("new_node_name"));
        if (to.empty())
          return error("MO-GTT-0014", "the argument new_node_name is empty").hint("write new_node_name=y");
        // In a GraphDef "a:1" is output 1 of "a", and "^a" is a node to wait for: no input could refer to a node of
        // that name.
        if (framework_of(graph) == "tf" && (to.starts_with('^') || to.find(':') != std::string::npos))
          return error("MO-GTT-0014", "new_node_name: '{}' cannot be the name of a node in a GraphDef", to)
              .hint("leave out ':' and a '^' at the beginning");
        warn_of_unknown_nodes(graph, context, "old_node_name");
        GraphEditor editor(graph, context);
        const auto is_in = [&](const std::vector<std::string>& references) {
          return std::find(references.begin(), references.end(), to) != references.end();
        };
        if ((is_in(context.input_names) || is_in(context.output_names)) && editor.find_referred(to))
          return error("MO-GTT-0022", "'{}' is an input or output of the model already", to)
              .hint("choose a name that no tensor has");
        if (const Node taken = editor.find(to))
          return taken.error("MO-GTT-0022", "there is a node called '{}' already", to)
              .hint("choose a name that no node has");
        // A graph without the node stays as it is: the original does not ask either.
        if (const Node node = editor.find(from)) editor.rename(node, to);
        return {};
      });
  registry.describe("rename_node", {"Renames a node",
                                    {{"old_node_name", "text", "", "the node; required"},
                                     {"new_node_name", "text", "", "its new name; required"}}});
}

}  // namespace mo::graph_transforms
