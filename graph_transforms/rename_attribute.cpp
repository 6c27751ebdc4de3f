#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {

/// On nodes of op `op_name` ("*": all) the attribute `old_attribute_name` is called `new_attribute_name`; one that has
/// that name already stays.
void register_rename_attribute(TransformRegistry& registry) {
  registry.register_transform("rename_attribute", Scope::any, Numbers::same,
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                MO_ASSIGN(const std::string from, context.required_string("old_attribute_name"));
                                MO_ASSIGN(const std::string to, context.required_string("new_attribute_name"));
                                const std::vector<std::string>& ops = context.parameters("op_name");
                                const std::string op = ops.empty() ? "*" : ops.front();
                                warn_of_unknown_ops(graph, context, "op_name");
                                warn_of_unknown_attributes(graph, context, "old_attribute_name");
                                if (from == to) return {};
                                for (const Node node : graph.nodes()) {
                                  if (op != "*" && op_of(node) != op) continue;
                                  AttributeMap& attributes = attributes_of(node);
                                  const AttributeValue* const value = attributes.find(from);
                                  if (!value) continue;
                                  if (!attributes.contains(to)) attributes.set(to, AttributeValue(*value));
                                  attributes.erase(from);
                                }
                                return {};
                              });
  registry.describe("rename_attribute", {"Renames an attribute",
                                         {{"old_attribute_name", "text", "", "the attribute; required"},
                                          {"new_attribute_name", "text", "", "its new name; required"},
                                          {"op_name", "text", "*", "operator whose attribute is renamed; *: of all"}}});
}

}  // namespace mo::graph_transforms
