#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {

/// Nodes of op `old_op_name` become nodes of op `new_op_name`, with the same inputs and attributes.
void register_rename_op(TransformRegistry& registry) {
  registry.register_transform(
      "rename_op", Scope::any, Numbers::same, [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
        MO_ASSIGN(const std::string from, context.required_string("old_op_name"));
        MO_ASSIGN(const std::string to, context.required_string("new_op_name"));
        if (to.empty())
          return error("MO-GTT-0014", "the argument new_op_name is empty").hint("write new_op_name=Multiply");
        warn_of_unknown_ops(graph, context, "old_op_name");
        GraphEditor editor(graph, context);
        for (const Node node : graph.nodes())
          if (op_of(node) == from) editor.set_op(node, to);
        return {};
      });
  registry.describe("rename_op", {"Turns nodes of one operator into nodes of another one",
                                  {{"old_op_name", "text", "", "the operator; required"},
                                   {"new_op_name", "text", "", "the new operator; required"}}});
}

}  // namespace mo::graph_transforms
