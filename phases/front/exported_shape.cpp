#include "phases/front/exported_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace mo::phases {
namespace {

// Names that begin with '@' are not written.
constexpr std::string_view kNote = "@exported_shape";
constexpr std::string_view kOwn = "@own_shape";  // of an input that got another rank
constexpr std::string_view kShape = "shape";
constexpr std::string_view kAssumed = "assumed";

/// The exported shape: sizes that the model specifies, else those of the new shape.
std::optional<PartialShape> shape_of_export(const PartialShape& own, const PartialShape& given) {
  if (!given.has_rank()) return std::nullopt;
  PartialShape exported = given;
  if (!own.has_rank()) {
    if (exported.size() > 1) exported[0] = 1;  // a vector has no samples
    return exported;
  }
  if (own.size() != given.size()) return std::nullopt;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i].is_known()) exported[i] = own[i];
  return exported;
}

const AttributeMap* note_of(const Node& node, std::string_view name = kNote) {
  const AttributeMap* const info = node.rt_info();
  const AttributeValue* const note = info ? info->find(name) : nullptr;
  return note ? note->map() : nullptr;
}

std::optional<PartialShape> shape_in(const AttributeMap* note) {
  const AttributeValue* const value = note ? note->find(kShape) : nullptr;
  const PartialShape* const shape = value ? value->get_if<PartialShape>() : nullptr;
  return shape ? std::optional(*shape) : std::nullopt;
}

}  // namespace

void give_shape(const Node& parameter, const PartialShape& shape) {
  auto& declared = *parameter.as<Parameter>();
  const std::optional<PartialShape> before = exported_shape(parameter);
  const bool assumed = has_assumed_batch(parameter) || !declared.shape.has_rank();
  const std::optional<PartialShape> exported = shape_of_export(before ? *before : declared.shape, shape);
  if (shape.has_rank() && declared.shape.has_rank() && shape.size() != declared.shape.size() &&
      !note_of(parameter, kOwn))
    parameter.set_rt_info(kOwn, {{std::string(kShape), declared.shape}});
  declared.shape = shape;
  parameter.output().data().set_type({declared.element_type, declared.shape});
  if (parameter.rt_info()) parameter.erase_rt_info(kNote);
  if (!exported || *exported == shape) return;
  AttributeMap note{{std::string(kShape), *exported}};
  if (assumed) note.set(kAssumed, true);
  parameter.set_rt_info(kNote, std::move(note));
}

std::optional<PartialShape> exported_shape(const Node& end) { return shape_in(note_of(end)); }

std::optional<PartialShape> shape_of_other_rank(const Node& parameter) { return shape_in(note_of(parameter, kOwn)); }

std::string option_for_export(const Graph& graph) {
  std::string option;
  for (const Node& input : graph.parameters()) {
    option += fmt::format("{}{}", option.empty() ? "" : ",", input.name());
    auto shape = exported_shape(input);
    if (!shape) shape = shape_of_other_rank(input);
    if (!shape) continue;
    for (Dimension& dim : shape->dims()) dim = Dimension(dim.min(), dim.max());  // symbols mean nothing to users
    option += shape->to_string();
  }
  return fmt::format("--input \"{}\"", option);
}

void explain_other_rank(const Graph& graph, Error& error) {
  const std::vector<Node> inputs = graph.parameters();
  const auto changed =
      std::ranges::find_if(inputs, [](const Node& input) { return shape_of_other_rank(input).has_value(); });
  if (changed == inputs.end() || error.items().empty()) return;
  // Another hint knows more.
  if (const std::string& hint = error.first().hint_text; !hint.empty() && hint.find("--input_shape") == hint.npos)
    return;
  const PartialShape own = *shape_of_other_rank(*changed);
  Diagnostic& first = error.items().front();
  first.add_note(fmt::format("input '{}' has rank {} in the model, and was given rank {}", changed->name(), own.size(),
                             changed->as<Parameter>()->shape.size()));
  first.hint_text = fmt::format("convert with the rank of the model, {}", option_for_export(graph));
}

void set_exported_shape(const Node& end, const PartialShape& shape) {
  end.set_rt_info(kNote, {{std::string(kShape), shape}});
}

bool has_assumed_batch(const Node& parameter) {
  const AttributeMap* const note = note_of(parameter);
  return note && note->find(kAssumed);
}

bool has_exported_shapes(const Graph& graph) {
  const std::vector<Node> inputs = graph.parameters();
  return std::any_of(inputs.begin(), inputs.end(), [](const Node& input) { return note_of(input) != nullptr; });
}

bool has_changed_sizes(const Graph& graph) {
  const std::vector<Node> inputs = graph.parameters();
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Node& input) { return note_of(input) && !has_assumed_batch(input); });
}

}  // namespace mo::phases
