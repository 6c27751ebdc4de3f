#include "extensions/support/onnx_operands.hpp"

#include <algorithm>

#include "ops/activations.hpp"
#include "ops/mat_mul.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"

namespace mo::front {
namespace {

/// Looks at no more nodes than this: chains of shape-keeping ops are short, and both inputs of a sum are looked at.
constexpr int kMostNodes = 200;

std::optional<std::int64_t> length_of(const Value& vector) {
  if (!vector) return std::nullopt;
  const PartialShape shape = known_shape(vector);
  if (!shape.has_rank() || shape.size() > 1) return std::nullopt;
  if (shape.size() == 0) return 1;
  return shape[0].is_known() ? std::optional(shape[0].value()) : std::nullopt;
}

std::optional<std::int64_t> rank_within(const Value& value, int& budget);

std::optional<std::int64_t> larger_rank(const Node& node, int& budget) {
  const auto a = rank_within(node.input(0), budget);
  const auto b = a ? rank_within(node.input(1), budget) : std::nullopt;
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

std::optional<std::int64_t> rank_within(const Value& value, int& budget) {
  std::int64_t added = 0;
  for (Value at = value; at && --budget > 0;) {
    if (const auto rank = known_shape(at).rank()) return *rank + added;
    const Node node = at.node();
    if (node.is("MicrosoftEmbedLayerNormalization")) return (at.index() == 1 ? 1 : 3) + added;
    if (node.is<ops::Transpose>()) {
      if (const auto length = length_of(node.input(1)); length && *length > 0) return *length + added;
    } else if (node.is<ops::Reshape>()) {
      const auto length = length_of(node.input(1));
      return length ? std::optional(*length + added) : std::nullopt;
    } else if (node.is<ops::Unsqueeze>() || node.is<ops::Squeeze>()) {
      const auto length = length_of(node.input(1));
      if (!length) return std::nullopt;
      added += node.is<ops::Unsqueeze>() ? *length : -*length;
    } else if (node.type().starts_with("Reduce") && !node.op_type().dynamic) {
      const auto length = length_of(node.input(1));
      if (!node.attr<bool>("keep_dims").value_or(false)) {
        if (!length) return std::nullopt;
        added -= *length;
      }
    } else if (node.is<ops::MatMul>() || (node.op_type().traits.elementwise && node.in_port_count() == 2)) {
      const auto rank = larger_rank(node, budget);
      return rank ? std::optional(*rank + added) : std::nullopt;
    } else if (!node.op_type().traits.elementwise || node.in_port_count() != 1) {
      return std::nullopt;
    }
    at = node.input(0);
  }
  return std::nullopt;
}

Value moved(Rewriter& rw, const Value& x, std::size_t rank, bool to_last) {
  std::vector<std::int64_t> order = {0};
  for (std::size_t i = 2; i < rank; ++i) order.push_back(static_cast<std::int64_t>(to_last ? i : i - 1));
  order.insert(to_last ? order.end() : order.begin() + 1, to_last ? 1 : static_cast<std::int64_t>(rank) - 1);
  return rw.create(ops::Transpose{}, x, rw.integers(order));
}

}  // namespace

std::optional<std::int64_t> source_rank(const Value& value) {
  int budget = kMostNodes;
  const auto rank = value ? rank_within(value, budget) : std::nullopt;
  return rank && *rank >= 0 ? rank : std::nullopt;
}

Expected<std::int64_t> required_rank(const Node& node, std::size_t input) {
  if (const auto rank = source_rank(node.input(input))) return *rank;
  return node
      .error("MO-ONNX-0441",
             "the number of dimensions of input {} is not known before shapes are inferred, and the form of the operator depends on it", input)
      .hint("export the model without this fusion, or make the tensor an input of the model with --input");
}

Expected<Value> axes_from_attribute(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kMostDimensions = 64;
  const auto axis = node.attr<std::int64_t>("axis").value_or(-1);
  if (axis < -kMostDimensions) return node.error("MO-ONNX-0112", "axis {} is outside of the tensor", axis).hint("check how the model was exported");
  if (axis >= 0) return axes_from(rw, node.input(0), axis);
  std::vector<std::int64_t> numbers;
  for (std::int64_t a = axis; a < 0; ++a) numbers.push_back(a);
  return rw.integers(numbers);
}

Value channels_to_last(Rewriter& rw, const Value& x, std::size_t rank) { return moved(rw, x, rank, true); }
Value channels_to_first(Rewriter& rw, const Value& x, std::size_t rank) { return moved(rw, x, rank, false); }

Expected<Value> activated(const Node& node, Rewriter& rw, const Value& x, std::string_view activation, const std::vector<double>& parameters) {
  const auto parameter = [&](std::size_t i, double usual) { return i < parameters.size() ? parameters[i] : usual; };
  if (activation.empty()) return x;
  if (activation == "Relu") return rw.create(ops::ReLU{}, x);
  if (activation == "Tanh") return rw.create(ops::Tanh{}, x);
  if (activation == "Sigmoid") return rw.create(ops::Sigmoid{}, x);
  if (activation == "HardSwish") return rw.create(ops::HSwish{}, x);
  if (activation == "Softplus") return rw.create(ops::SoftPlus{}, x);
  if (activation == "Softsign") return rw.create(ops::SoftSign{}, x);
  if (activation == "Gelu") return rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}, x);
  if (activation == "FastGelu") return rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh}, x);
  if (activation == "Elu") return rw.create(ops::Elu{.alpha = parameter(0, 1)}, x);
  if (activation == "LeakyRelu") return rw.create(ops::PReLU{}, x, number_like(rw, x, parameter(0, 0.01)));
  if (activation == "HardSigmoid")
    return rw.create(ops::HardSigmoid{}, x, number_like(rw, x, parameter(0, 0.2)), number_like(rw, x, parameter(1, 0.5)));
  if (activation == "Clip") {
    const ops::Clamp clamp{.min = parameter(0, -ops::Clamp::kOpenEnd), .max = parameter(1, ops::Clamp::kOpenEnd)};
    if (clamp.min <= clamp.max) return rw.create(clamp, x);
    return node.error("MO-ONNX-0446", "the activation Clip has the bounds {} and {}", clamp.min, clamp.max).hint("check how the model was exported");
  }
  return node.error("MO-ONNX-0446", "the activation \"{}\" is not known", activation)
      .hint("fused operators have Relu, LeakyRelu, Tanh, Sigmoid, Clip, HardSigmoid, HardSwish, Elu …; switch off the fusion of this one");
}

}  // namespace mo::front
