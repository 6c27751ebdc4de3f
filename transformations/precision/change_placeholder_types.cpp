#include <algorithm>

#include "core/registry/pass_registry.hpp"
#include "transformations/support/old_interface.hpp"

namespace mo::transformations {
namespace {

struct ChangePlaceholderTypesSettings {
  std::string typed_inputs;  ///< inputs whose types the user chose, separated by commas
  static constexpr auto attributes = Attributes{attr("typed_inputs", &ChangePlaceholderTypesSettings::typed_inputs)};
};

bool is_listed(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

}  // namespace

void register_change_placeholder_types(PassRegistry& passes) {
  passes.offer(graph_pass("ChangePlaceholderTypes")
                   .described("Parameter of type i64, u8, or read by ShapeOf and Convert to f32 only",
                              "the same with old_api_map_element_type i32, f32, f32",
                              "not one of typed_inputs, whose types the user chose")
                   .settings<ChangePlaceholderTypesSettings>()
                   .only_top_level()
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     const std::string& typed = context.settings.get<ChangePlaceholderTypesSettings>().typed_inputs;
                     bool changed = false;
                     for (const Node& node : graph.parameters()) {
                       if (is_listed(typed, node.name())) continue;
                       if (const auto type = old_element_type(node); type && !context.skips(node))
                         changed = set_old_element_type(node, *type) || changed;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
