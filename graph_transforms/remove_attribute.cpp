#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {

/// Nodes of op `op_name` ("*": all) lose the attribute `attribute_name`.
void register_remove_attribute(TransformRegistry& registry) {
  registry.register_transform("remove_attribute", Scope::any, Numbers::same,
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                MO_ASSIGN(const std::string attribute, context.required_string("attribute_name"));
                                MO_ASSIGN(const std::string op, context.one_string("op_name", "*"));
                                warn_of_unknown_ops(graph, context, "op_name");
                                warn_of_unknown_attributes(graph, context, "attribute_name");
                                for (const Node node : graph.nodes())
                                  if (op == "*" || op_of(node) == op) attributes_of(node).erase(attribute);
                                return {};
                              });
  registry.describe("remove_attribute", {"Removes an attribute",
                                         {{"attribute_name", "text", "", "the attribute; required"},
                                          {"op_name", "text", "*", "operator from which it is removed; *: from all"}}});
}

}  // namespace mo::graph_transforms
