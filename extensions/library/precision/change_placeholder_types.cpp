#include <algorithm>

#include "core/pass/library.hpp"
#include "extensions/library/support/old_api_map.hpp"
#include "ops/convert.hpp"

namespace mo::library::precision {
namespace {

struct ChangePlaceholderTypesSettings {
  std::string typed_inputs;  ///< inputs whose types the user chose, separated by commas
  static constexpr auto attributes = std::tuple{attr("typed_inputs", &ChangePlaceholderTypesSettings::typed_inputs)};
};

bool is_listed(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

/// Nobody needs the type that the input has: shapes are read, or the numbers become f32.
bool is_read_as_f32(const InPort& reader) {
  const auto* const convert = reader.node().as<ops::Convert>();
  return reader.node().op_type().traits.shape_of || (convert && convert->destination_type == ElementType::f32);
}

/// What IR v10 would have had as the type; nothing when that is the same.
std::optional<ElementType> old_type(const Node& parameter) {
  const ElementType type = parameter.as<Parameter>()->element_type;
  if (type == ElementType::i64) return ElementType::i32;
  if (type == ElementType::u8) return ElementType::f32;
  const std::vector<InPort> readers = parameter.output().get_destinations();
  if (!readers.empty() && std::all_of(readers.begin(), readers.end(), is_read_as_f32)) return ElementType::f32;
  return std::nullopt;
}

}  // namespace

void register_change_placeholder_types(PassLibrary& library) {
  library.add(graph_pass("ChangePlaceholderTypes")
                  .described("Parameter of type i64, u8, or read by ShapeOf and Convert to f32 only",
                             "the same with old_api_map_element_type i32, f32, f32", "not one of typed_inputs, whose types the user chose")
                  .settings<ChangePlaceholderTypesSettings>()
                  .only_top_level()
                  .asks_nodes()
                  .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                    const std::string& typed = context.settings.get<ChangePlaceholderTypesSettings>().typed_inputs;
                    bool changed = false;
                    for (const Node& node : graph.parameters()) {
                      if (is_listed(typed, node.name())) continue;
                      if (const auto type = old_type(node); type && !context.skips(node)) changed = set_old_element_type(node, *type) || changed;
                    }
                    return changed;
                  }));
}

}  // namespace mo::library::precision
