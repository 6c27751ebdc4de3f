#include "transformations/cleanup/support/node_info.hpp"

namespace mo::transformations {

bool fix_runtime_info(Graph& graph, const PassContext& context) {
  constexpr const char* kOld = "PrimitivesPriority";
  bool changed = false;
  for (const Node node : graph.nodes()) {
    const AttributeMap* const info = node.rt_info();
    const AttributeValue* const old = info ? info->find(kOld) : nullptr;
    if (!old || context.skips(node)) continue;
    AttributeMap fields;
    if (const AttributeMap* const given = old->map())
      fields = *given;
    else
      fields.set("value", *old);
    node.erase_rt_info(kOld);
    node.set_rt_info("primitives_priority", std::move(fields));
    changed = true;
  }
  return changed;
}

}  // namespace mo::transformations
