#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/op_table.hpp"

namespace mo::graph_transforms {

/// Adds attributes that a node does not specify and its op has a default for. Error MO-GTT-0027 for an unknown op.
void register_add_default_attributes(TransformRegistry& registry) {
  registry.register_transform(
      "add_default_attributes", Numbers::same, [](Graph& graph, const TransformFuncContext&) -> Expected<void> {
        for (const Node node : graph.nodes()) {
          const OpDefinition* const op = find_op_definition(op_of(node));
          if (!op)
            return node.error("MO-GTT-0027", "the op {} is unknown", op_of(node))
                .hint("strip nodes that only training needs before, or write ignore_errors=true");
          AttributeMap& attributes = attributes_of(node);
          for (const OpDefinition::Attribute& attribute : op->attributes)
            if (!attribute.value.is_none() && !attributes.contains(attribute.name))
              attributes.set(attribute.name, attribute.value);
        }
        return {};
      });
  registry.describe("add_default_attributes", {"Writes out the attributes that have a default", {}});
}

}  // namespace mo::graph_transforms
