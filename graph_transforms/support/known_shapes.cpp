#include "graph_transforms/support/known_shapes.hpp"

#include <map>

#include "core/tensor/convert.hpp"
#include "graph_transforms/engine/services.hpp"

namespace mo::graph_transforms {
namespace {

/// What the model itself says of the shape of a tensor.
std::optional<PartialShape> noted_shape(const Value& value) {
  const AttributeValue* const noted = value.node().find_attribute("_output_shapes");
  const AttributeList* const shapes = noted ? noted->get_if<AttributeList>() : nullptr;
  if (!shapes || value.index() >= shapes->size()) return std::nullopt;
  const PartialShape* const shape = (*shapes)[value.index()].get_if<PartialShape>();
  return shape && shape->has_rank() ? std::optional(*shape) : std::nullopt;
}

/// The type that the node gives: TensorFlow's default is int32, ONNX has int64 only.
ElementType type_of_answer(const Node& node) {
  if (node.type().starts_with("onnx::")) return ElementType::i64;
  const AttributeValue given = node.attribute("out_type");
  const ElementType* const type = given.get_if<ElementType>();
  return type ? *type : ElementType::i32;
}

/// What a node of this op says of a shape, in its type; nothing when the shape does not tell.
Expected<std::optional<Tensor>> answer(const Node& node, const PartialShape& shape) {
  const std::string_view op = op_of(node);
  if (op == "Rank") {
    if (!shape.has_rank()) return std::optional<Tensor>();
    return std::optional(Tensor::scalar(static_cast<std::int32_t>(shape.size())));
  }
  const std::optional<Shape> sizes = shape.to_shape();
  const std::optional<std::int64_t> count = shape.element_count();
  if (!sizes || !count) return std::optional<Tensor>();
  const bool is_size = op == "Size";
  const Shape result = is_size ? Shape{} : Shape{static_cast<std::int64_t>(sizes->size())};
  MO_ASSIGN(Tensor made, from_integers(type_of_answer(node), result, is_size ? Shape{*count} : *sizes));
  return std::optional(std::move(made));
}

struct Question {
  Node node;
  std::size_t port;  ///< of the input, and of the output that tells of it
};

std::vector<Question> questions_in(GraphEditor& editor) {
  std::vector<Question> questions;
  for (const Node node : editor.graph().nodes()) {
    // A part of a shape: what it is cut by is told from the end as well.
    if (!is_op_of(op_of(node), "Shape|ShapeN|Size|Rank") || node.has_attr("start") || node.has_attr("end")) continue;
    if (editor.context().is_output(node.name()) || editor.context().is_input(node.name())) continue;
    for (std::size_t i = 0; i < std::min(node.in_port_count(), node.out_port_count()); ++i)
      if (node.input(i) && !node.out_port(i).disconnected() && op_of(node.input(i).node()) != "Const")
        questions.push_back({node, i});
  }
  return questions;
}

}  // namespace

Expected<void> fold_known_shapes(GraphEditor& editor) {
  const std::vector<Question> questions = questions_in(editor);
  std::map<ValueId, PartialShape> shapes;
  std::vector<Value> unknown;
  for (const auto& [node, port] : questions) {
    const Value value = node.input(port);
    const std::optional<PartialShape> noted = noted_shape(value);
    if (shapes.emplace(value.id(), noted.value_or(PartialShape())).second && !noted) unknown.push_back(value);
  }
  const std::vector<PartialShape> inferred = editor.context().services->shapes_of(unknown);
  for (std::size_t i = 0; i < unknown.size(); ++i) shapes[unknown[i].id()] = inferred[i];
  for (const auto& [node, port] : questions) {
    MO_ASSIGN(const std::optional<Tensor> known, answer(node, shapes[node.input(port).id()]));
    if (!known) continue;
    const Node constant =
        editor.create_constant(editor.free_name(fmt::format("{}/_{}__cf__shape", node.name(), port)), *known);
    for (const Node& before : node.control_inputs()) constant.add_control_input(before);
    editor.redirect(node.out_port(port), constant.output());
  }
  return {};
}

}  // namespace mo::graph_transforms
