#include "core/registry/pass_registry.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {
namespace {

struct ConvertPrecisionSettings {
  std::string precisions;  ///< "i64->i32; f16->f32"
  static constexpr auto attributes = Attributes{attr("precisions", &ConvertPrecisionSettings::precisions)};
};

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "i64->i32; f16->f32", in this order.
Expected<std::vector<TypeChange>> read_changes(std::string_view text) {
  std::vector<TypeChange> changes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view pair = without_spaces(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t arrow = pair.find("->");
    const auto type = [&](std::size_t from, std::size_t count) {
      return element_type_from(without_spaces(pair.substr(from, count)));
    };
    const auto from = arrow == std::string_view::npos ? std::nullopt : type(0, arrow);
    const auto to = from ? type(arrow + 2, std::string_view::npos) : std::nullopt;
    if (!to || from == ElementType::string || to == ElementType::string)
      return error("MO-PASS-0023", "ConvertPrecision: '{}' is not a pair of element types", pair)
          .hint("write precisions=\"i64->i32; f16->f32\", with the names that the IR has for element types");
    changes.push_back({*from, *to});
  }
  return changes;
}

}  // namespace

void register_convert_precision(PassRegistry& passes) {
  passes.offer(
      graph_pass("ConvertPrecision")
          .described(
              "tensors of one element type", "the same of another one: constants, inputs, ops that name a type, bodies",
              "precisions specifies which, \"i64->i32; f16->f32\"; constants that are marked keep_const_precision stay")
          .settings<ConvertPrecisionSettings>()
          .only_top_level()
          .whole_graph("neighbours of a tensor have its type")
          .run([](Graph& graph, PassContext& context) -> Expected<bool> {
            MO_ASSIGN(const std::vector<TypeChange> changes,
                      read_changes(context.settings.get<ConvertPrecisionSettings>().precisions));
            return change_types(graph, changes, context);
          }));
}

}  // namespace mo::transformations
