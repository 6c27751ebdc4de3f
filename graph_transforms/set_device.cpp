#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// All nodes, or with `if_default` those that have none, are assigned to `device`.
void register_set_device(TransformRegistry& registry) {
  registry.register_transform("set_device", Numbers::same,
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                MO_ASSIGN(const std::string device, context.one_string("device", ""));
                                MO_ASSIGN(const bool if_default, context.one_bool("if_default", false));
                                for (const Node node : graph.nodes()) {
                                  AttributeMap& attributes = attributes_of(node);
                                  const AttributeValue* const present = attributes.find("@device");
                                  const std::string* const text = present ? present->get_if<std::string>() : nullptr;
                                  if (!if_default || !text || text->empty()) attributes.set("@device", device);
                                }
                                return {};
                              });
  registry.describe("set_device", {"Assigns nodes to a device",
                                   {{"device", "text", "none", "the device"},
                                    {"if_default", "true or false", "false", "only nodes without a device"}}});
}

}  // namespace mo::graph_transforms
