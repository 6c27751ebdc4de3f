#include "extensions/support/front.hpp"

#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/shape_of.hpp"

namespace mo::front {
namespace {

/// `value` without the Identity nodes in front of it. A cycle of them, which only a broken model has, ends the search.
Value behind_identity(Value value) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps && value; ++step) {
    const Node node = value.node();
    if (!node.is<ops::Identity>() && !node.is("OnnxIdentity")) break;
    if (!node.input(0)) break;
    value = node.input(0);
  }
  return value;
}

bool is_small(const Tensor& tensor) { return tensor.element_count() <= kMostKnownElements && tensor.element_type() != ElementType::string; }

}  // namespace

TensorType known_type(const Value& value) {
  const Value source = behind_identity(value);
  if (!source) return {};
  const Node node = source.node();
  if (const auto* constant = node.as<Const>()) return constant->value.type();
  if (const auto* parameter = node.as<Parameter>()) return {parameter->element_type, parameter->shape};
  return source.type();
}

PartialShape known_shape(const Value& value) {
  Value source = value;
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps && source; ++step) {
    if (PartialShape shape = known_type(source).shape; shape.has_rank()) return shape;
    const Node node = behind_identity(source).node();
    if (!node.is("OnnxDequantizeLinear") && !node.is("OnnxQuantizeLinear") && !node.is<ops::Convert>()) break;
    source = node.input(0);
  }
  return {};
}

std::optional<Tensor> known_constant(const Value& value) {
  const Value source = behind_identity(value);
  if (!source) return std::nullopt;
  if (const auto* constant = source.node().as<Const>(); constant && !constant->value.empty()) return constant->value;
  return std::nullopt;
}

std::optional<std::vector<double>> known_reals(const Value& value) {
  const auto tensor = known_constant(value);
  if (!tensor || !is_small(*tensor)) return std::nullopt;
  auto numbers = to_reals(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> known_integers(const Value& value) {
  const auto tensor = known_constant(value);
  if (!tensor || !is_small(*tensor)) return std::nullopt;
  auto numbers = to_integers(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

Diagnostic missing_input(const Node& node) {
  return node.error("MO-ONNX-0223", "a required input is missing").hint("check how the model was exported: this op does not work without it");
}

ElementType known_element_type(const Value& value) {
  if (!value) return ElementType::dynamic;
  const Node node = value.node();
  if (const auto* conversion = node.as<ops::Convert>()) return conversion->destination_type;
  if (const auto* shape = node.as<ops::ShapeOf>()) return shape->output_type;
  return known_type(value).element_type;
}

}  // namespace mo::front
