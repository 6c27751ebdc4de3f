#include "phases/front/exported_shape.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace mo::phases {
namespace {

// Names that begin with '@' are not written.
constexpr std::string_view kNote = "@exported_shape";
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

const AttributeMap* note_of(const Node& node) {
  const AttributeMap* const info = node.rt_info();
  const AttributeValue* const note = info ? info->find(kNote) : nullptr;
  return note ? note->map() : nullptr;
}

}  // namespace

void give_shape(const Node& parameter, const PartialShape& shape) {
  auto& declared = *parameter.as<Parameter>();
  const std::optional<PartialShape> before = exported_shape(parameter);
  const bool assumed = has_assumed_batch(parameter) || !declared.shape.has_rank();
  const std::optional<PartialShape> exported = shape_of_export(before ? *before : declared.shape, shape);
  declared.shape = shape;
  parameter.output().data().set_type({declared.element_type, declared.shape});
  if (parameter.rt_info()) parameter.erase_rt_info(kNote);
  if (!exported || *exported == shape) return;
  AttributeMap note{{std::string(kShape), *exported}};
  if (assumed) note.set(kAssumed, true);
  parameter.set_rt_info(kNote, std::move(note));
}

std::optional<PartialShape> exported_shape(const Node& end) {
  const AttributeMap* const note = note_of(end);
  const AttributeValue* const value = note ? note->find(kShape) : nullptr;
  const PartialShape* const shape = value ? value->get_if<PartialShape>() : nullptr;
  return shape ? std::optional(*shape) : std::nullopt;
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
