#include "extensions/support/front_values.hpp"

#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"

namespace mo::front {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 20;
constexpr int kMostRenames = 64;  ///< a chain that is longer, or that bites its own tail, is not followed

/// The tensor in front of ops that only rename it.
Value origin_of(Value value) {
  for (int i = 0; i < kMostRenames && value; ++i) {
    const Node node = value.node();
    if (!node.is<ops::Identity>() && !node.is("OnnxIdentity")) return value;
    value = node.input(0);
  }
  return {};
}

/// A constant with few elements; an empty tensor otherwise.
Tensor small_constant(const Value& value) {
  Tensor tensor = constant_of(value);
  return tensor.element_count() <= kMostElements ? tensor : Tensor();
}

}  // namespace

Diagnostic missing_input(const Node& node) {
  return node.error("MO-ONNX-0223", "a required input is missing").hint("check how the model was exported: this op does not work without it");
}

Tensor constant_of(const Value& value) {
  const Value origin = origin_of(value);
  if (!origin) return {};
  if (const auto* constant = origin.node().as<Const>()) return constant->value;
  const Tensor* known = origin.data().value();
  return known ? *known : Tensor();
}

std::optional<std::vector<std::int64_t>> constant_integers(const Value& value) {
  const Tensor tensor = small_constant(value);
  if (tensor.empty()) return std::nullopt;
  auto numbers = to_integers(tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::vector<double>> constant_reals(const Value& value) {
  const Tensor tensor = small_constant(value);
  if (tensor.empty()) return std::nullopt;
  auto numbers = to_reals(tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

ElementType known_element_type(const Value& value) {
  const Value origin = origin_of(value);
  if (!origin) return ElementType::dynamic;
  const Node node = origin.node();
  if (const auto* constant = node.as<Const>()) return constant->value.element_type();
  if (const auto* conversion = node.as<ops::Convert>()) return conversion->destination_type;
  if (const auto* shape = node.as<ops::ShapeOf>()) return shape->output_type;
  return origin.type().element_type;
}

std::optional<std::int64_t> known_rank(const Value& value) {
  const Value origin = origin_of(value);
  if (!origin) return std::nullopt;
  if (const auto* constant = origin.node().as<Const>()) return constant->value.rank();
  return origin.type().rank();
}

Value constant_like(Rewriter& rw, const Tensor& tensor, const Value& like) {
  const ElementType type = known_element_type(like);
  if (type == tensor.element_type()) return rw.constant(tensor);
  if (type != ElementType::dynamic)
    if (auto converted = convert(tensor, type)) return rw.constant(*std::move(converted));
  return rw.create(ops::ConvertLike{}, rw.constant(tensor), like);
}

Value number_like(Rewriter& rw, double number, const Value& like) { return constant_like(rw, Tensor::scalar(number), like); }

Value shape_of(Rewriter& rw, const Value& x) { return rw.create(ops::ShapeOf{.output_type = ElementType::i64}, x); }

Value rank_of(Rewriter& rw, const Value& x) { return shape_of(rw, shape_of(rw, x)); }

Value dimension_of(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.create(ops::Gather{}, shape_of(rw, x), rw.integers({axis}), rw.scalar<std::int64_t>(0));
}

Value join(Rewriter& rw, const std::vector<Value>& vectors) { return rw.create(ops::Concat{.axis = 0}, vectors); }

Value repeat(Rewriter& rw, const Value& number, const Value& count) { return rw.create(ops::Broadcast{}, number, count); }

Value as_i64(Rewriter& rw, const Value& x) {
  return known_element_type(x) == ElementType::i64 ? x : rw.create(ops::Convert{.destination_type = ElementType::i64}, x);
}

Value as_scalar(Rewriter& rw, const Value& x) {
  if (const Tensor tensor = constant_of(x); !tensor.empty() && tensor.element_count() == 1) return rw.constant(tensor.reshaped({}));
  return rw.create(ops::Reshape{}, x, rw.integers({}));
}

Value as_length(Rewriter& rw, const Value& x) {
  if (const Tensor tensor = constant_of(x); !tensor.empty() && tensor.element_count() == 1) return rw.constant(tensor.reshaped({1}));
  return rw.create(ops::Reshape{}, x, rw.integers({1}));
}

Value slice_along(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
  return rw.create(ops::Slice{}, x, rw.integers({begin}), rw.integers({end}), rw.integers({step}), rw.integers({axis}));
}

}  // namespace mo::front
