#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/build/quantized.hpp"
#include "ops/elementwise_binary.hpp"

/// Weights of 2 to 8 bits, from which ops make reals: DequantizeLinear, which engines compute with.
namespace mo::onnx_emitter::compressed {

/// (weights - zero_point) * scale, as constants.
struct Weights {
  Node constant;
  Tensor zero_point;  ///< whole numbers of the type of the weights; empty: 0
  Tensor scale;
};

/// How the scales lie on the weights. Neither: one number for all.
struct Grid {
  std::optional<std::int64_t> axis;        ///< one scale for each of its elements
  std::optional<std::int64_t> block_size;  ///< … or for so many of its elements, and for each of the other dimensions
};

/// DequantizeLinear of op set `opset` takes the type, or one that is as wide as its packed form allows.
inline bool is_dequantized(ElementType type, std::int64_t opset) {
  if (is_integral(type)) return build::has_few_bits(type);
  return (type == ElementType::f8e4m3 || type == ElementType::f8e5m2) && opset >= 19;
}

inline const Const* constant_of(const Value& value) { return value ? value.node().as<Const>() : nullptr; }

/// The constant that a Convert makes reals of, where DequantizeLinear takes its type.
inline std::optional<Node> converted_constant(const Value& value, std::int64_t opset) {
  const Node constant = value ? build::unpacked_constant(value.node()) : Node();
  if (!constant || !is_dequantized(constant.as<Const>()->value.element_type(), opset)) return std::nullopt;
  return constant;
}

/// The zero point in the type of the weights; nothing when it has none there.
inline std::optional<Tensor> whole_zero_point(const Value& given, ElementType type, std::int64_t opset) {
  if (!is_integral(type)) return std::nullopt;  // ONNX has none of 8-bit floats
  if (const auto constant = converted_constant(given, opset)) {
    const Tensor& value = constant->as<Const>()->value;
    return value.element_type() == type ? std::optional(value) : std::nullopt;
  }
  const Const* const reals = constant_of(given);
  if (!reals) return std::nullopt;
  const auto numbers = to_reals(reals->value);
  if (!numbers) return std::nullopt;
  std::vector<std::int64_t> whole;
  for (const double number : *numbers) {
    if (number != std::floor(number) || std::abs(number) > 255) return std::nullopt;
    whole.push_back(static_cast<std::int64_t>(number));
  }
  auto made = from_integers(type, reals->value.shape(), whole);
  if (!made) return std::nullopt;
  const auto again = to_integers(*made);  // a number beyond the type has become its limit
  if (!again || *again != whole) return std::nullopt;
  return *std::move(made);
}

/// What a Multiply has for operands; nothing when that is not a tensor of compressed weights and its scale.
inline std::optional<Weights> weights_of(const Node& multiply, std::size_t scaled, std::int64_t opset) {
  const Const* const scale = constant_of(multiply.input(1 - scaled));
  if (!scale) return std::nullopt;
  Value numbers = multiply.input(scaled);
  Value zero_point;
  if (const auto* const subtract = numbers.node().as<ops::Subtract>();
      subtract && subtract->auto_broadcast == ops::AutoBroadcast::numpy) {
    zero_point = numbers.node().input(1);
    numbers = numbers.node().input(0);
  }
  const auto constant = converted_constant(numbers, opset);
  if (!constant) return std::nullopt;
  Weights weights{*constant, {}, scale->value};
  if (!zero_point) return weights;
  auto whole = whole_zero_point(zero_point, constant->as<Const>()->value.element_type(), opset);
  if (!whole) return std::nullopt;
  weights.zero_point = *std::move(whole);
  return weights;
}

/// Nothing when DequantizeLinear cannot say where the scales belong.
inline std::optional<Grid> grid_of(const Shape& scale, const Shape& weights, std::int64_t opset) {
  if (scale.size() > weights.size()) return std::nullopt;
  const std::size_t shift = weights.size() - scale.size();
  std::vector<std::size_t> several;  // dimensions with several scales
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (scale[i] != 1 && scale[i] != weights[i + shift]) return std::nullopt;
    if (scale[i] != 1) several.push_back(i + shift);
  }
  if (several.empty()) return Grid{};
  if (several.size() == 1 && opset >= 13) return Grid{static_cast<std::int64_t>(several.front()), {}};
  // blocks: a dimension with one scale, all others with as many as elements
  if (opset < 21 || scale.size() != weights.size()) return std::nullopt;
  std::optional<std::size_t> shared;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (scale[i] == weights[i]) continue;
    if (shared) return std::nullopt;
    shared = i;
  }
  if (!shared) return std::nullopt;
  return Grid{static_cast<std::int64_t>(*shared), weights[*shared]};
}

/// `numbers` in the shape that goes with the grid; one number is repeated for all scales.
inline std::optional<Tensor> on_grid(const Tensor& numbers, const Tensor& scale, const Grid& grid) {
  const Shape shape = grid.block_size ? scale.shape() : grid.axis ? Shape{scale.element_count()} : Shape{};
  if (numbers.element_count() == scale.element_count()) {
    if (numbers.element_count() != 1 && numbers.shape() != scale.shape()) return std::nullopt;
    return numbers.reshaped(shape);
  }
  if (numbers.element_count() != 1) return std::nullopt;
  const auto one = to_integers(numbers);
  if (!one) return std::nullopt;
  auto many = from_integers(numbers.element_type(), shape,
                            std::vector<std::int64_t>(static_cast<std::size_t>(scale.element_count()), one->front()));
  return many ? std::optional(*std::move(many)) : std::nullopt;
}

/// The result of a Multiply as DequantizeLinear; nothing when it is not that of compressed weights.
inline std::optional<Value> dequantized(Translation& t) {
  if (t.node.as<ops::Multiply>()->auto_broadcast != ops::AutoBroadcast::numpy) return std::nullopt;
  for (const std::size_t scaled : {0, 1}) {
    const auto weights = weights_of(t.node, scaled, t.opset);
    if (!weights) continue;
    const Tensor& numbers = weights->constant.as<Const>()->value;
    const auto grid = grid_of(weights->scale.shape(), numbers.shape(), t.opset);
    if (!grid || t.node.output_type().shape.to_shape() != numbers.shape()) continue;
    const auto scale = on_grid(weights->scale, weights->scale, *grid);
    const auto zero_point =
        weights->zero_point.empty() ? Tensor() : on_grid(weights->zero_point, weights->scale, *grid);
    if (!scale || !zero_point) continue;
    std::vector<Value> inputs{t.constant(numbers), t.constant(*scale)};
    inputs.front().node().set_name(std::string(weights->constant.name()));
    if (!zero_point->empty()) inputs.push_back(t.constant(*zero_point));
    AttributeMap attributes;
    if (grid->axis) attributes.set("axis", *grid->axis);
    if (grid->block_size) attributes.set("block_size", *grid->block_size);
    return t.op("DequantizeLinear", std::move(inputs), std::move(attributes));
  }
  return std::nullopt;
}

}  // namespace mo::onnx_emitter::compressed
