#include "phases/partial_inference/exported_types.hpp"

#include "core/graph/values.hpp"
#include "phases/front/exported_shape.hpp"
#include "phases/partial_inference/partial_inference.hpp"

namespace mo::phases {
namespace {

bool is_integer(const Value& value) {
  const ElementType type = type_of(value).element_type;
  return type == ElementType::i64 || type == ElementType::i32;
}

}  // namespace

std::optional<std::int64_t> ExportedInputs::changed_size(const Node& node, std::size_t i, std::size_t axis) const {
  if (i >= shapes.size() || i >= node.in_port_count()) return std::nullopt;
  const PartialShape& now = node.input_type(i).shape;
  if (!now.has_rank() || shapes[i].rank() != now.rank() || axis >= now.size()) return std::nullopt;
  const Dimension& size = shapes[i][axis];
  return size.is_known() && now[axis] != size ? std::optional(size.value()) : std::nullopt;
}

bool ExportedInputs::has_changed(const Node& node) const {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t axis = 0; axis < shapes[i].dims().size(); ++axis)
      if (changed_size(node, i, axis)) return true;
  return false;
}

std::optional<std::vector<std::int64_t>> ExportedInputs::constant(const Node& node, std::size_t i) const {
  if (i >= integers.size() || i >= node.in_port_count() || !node.input(i)) return std::nullopt;
  auto now = integers_of(node.input(i));
  return now && now == integers[i] ? std::move(now) : std::nullopt;
}

ExportedTypes::ExportedTypes(const Graph& graph) : copy_(graph.clone()), inputs_(graph.node_count()) {
  // A copy has the ids of the living nodes without gaps.
  for (const Node node : graph.nodes()) places_.emplace(node.id(), places_.size());
  for (const Node& parameter : copy_->parameters())
    if (const auto shape = exported_shape(parameter)) {
      auto& declared = *parameter.as<Parameter>();
      declared.shape = *shape;
      parameter.output().data().set_type({declared.element_type, *shape});
    }
}

void ExportedTypes::infer(const OperatorTable& operators, std::string_view framework, const Settings& settings) {
  infer_what_is_possible(*copy_, operators, framework, settings, this);
  copy_.reset();
}

const ExportedInputs* ExportedTypes::inputs_of(const Node& node) const {
  const auto place = places_.find(node.id());
  if (place == places_.end()) return nullptr;
  const ExportedInputs& inputs = inputs_[place->second];
  return inputs.shapes.empty() ? nullptr : &inputs;
}

void ExportedTypes::reach(Rewriter&, const Node& node) {
  if (node.id().index >= inputs_.size()) return;
  ExportedInputs& inputs = inputs_[node.id().index];
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value value = node.input(i);
    inputs.shapes.push_back(type_of(value).shape);
    inputs.integers.push_back(i > 0 && value && is_integer(value) ? integers_of(value) : std::nullopt);
  }
}

}  // namespace mo::phases
