#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// Nodes of op `op_name` ("*": all) lose the attribute `attribute_name`.
void register_remove_attribute(TransformRegistry& registry) {
  registry.register_transform("remove_attribute", Scope::any, [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    MO_ASSIGN(const std::string attribute, context.required_string("attribute_name"));
    MO_ASSIGN(const std::string op, context.one_string("op_name", "*"));
    for (const Node node : graph.nodes())
      if (op == "*" || op_of(node) == op) attributes_of(node).erase(attribute);
    return {};
  });
}

}  // namespace mo::graph_transforms
