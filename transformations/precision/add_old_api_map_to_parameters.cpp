#include "core/registry/pass_registry.hpp"
#include "transformations/support/old_interface.hpp"

namespace mo::transformations {

void register_add_old_api_map_to_parameters(PassRegistry& passes) {
  passes.offer(graph_pass("AddOldApiMapToParameters")
                   .described("Parameter of type f32 or f64", "the same with old_api_map_element_type f16",
                              "programs of the older interface see the type that IR v10 would have had")
                   .only_top_level()
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     bool changed = false;
                     for (const Node& node : graph.parameters()) {
                       const ElementType type = node.as<Parameter>()->element_type;
                       if ((type == ElementType::f32 || type == ElementType::f64) && !context.skips(node))
                         changed = set_old_element_type(node, ElementType::f16) || changed;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
