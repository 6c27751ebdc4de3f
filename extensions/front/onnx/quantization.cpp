#include <algorithm>
#include <array>

#include "extensions/support/front_shapes.hpp"
#include "extensions/support/quantize.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"

namespace mo::front::onnx {
namespace {

/// A scale or zero point as a tensor that broadcasts to x: one number stays, a vector lies along `axis`, and with blocks each number is
/// repeated `block_size` times along the axis (the last block may be shorter).
Value spread(const Node& node, Rewriter& rw, const Value& numbers) {
  if (!numbers) return numbers;
  const Value x = node.input(0);
  const auto axis = node.attr<std::int64_t>("axis");
  const auto block_size = node.attr<std::int64_t>("block_size").value_or(0);
  if (block_size > 0) {
    const Value positions = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), dimension_of(rw, x, axis.value_or(1)),
                                      rw.scalar<std::int64_t>(1));
    const Value block = rw.create(ops::Divide{}, positions, rw.scalar<std::int64_t>(block_size));
    return rw.create(ops::Gather{}, numbers, block, rw.scalar<std::int64_t>(axis.value_or(1)));
  }
  if (!axis || has_one_element(numbers)) return numbers;
  return along_axis(rw, numbers, x, *axis);
}

/// The element type of a zero point, also of one that is computed: from the nearest node before it that tells a type, past those that only
/// move elements.
ElementType zero_point_type(Value zero_point) {
  constexpr std::array<std::string_view, 7> kMovements = {"OnnxIdentity",  "OnnxReshape", "OnnxFlatten",  "OnnxSlice",
                                                          "OnnxUnsqueeze", "OnnxGather",  "OnnxTranspose"};
  constexpr int kMostSteps = 64;  // a cycle, which only a broken model has, ends the search
  for (int step = 0; step < kMostSteps && zero_point; ++step) {
    if (const ElementType type = known_element_type(zero_point); type != ElementType::dynamic) return type;
    const Node node = zero_point.node();
    if (node.is("OnnxDynamicQuantizeLinear") && zero_point.index() == 2) return ElementType::u8;
    const bool moves = (node.op_type().traits.moves_elements & 1U) != 0 || node.is<ops::Identity>() ||
                       std::find(kMovements.begin(), kMovements.end(), node.type()) != kMovements.end();
    if (!moves) break;
    zero_point = node.input(0);
  }
  return ElementType::dynamic;
}

/// QuantizeLinear(x, scale, zero) -> saturate(round(x / scale) + zero)
Replacement quantize_linear(const Node& node, Rewriter& rw) {
  const Value zero_point = node.input(2);
  const ElementType wanted = node.attr<ElementType>("output_type").value_or(ElementType::u8);
  const ElementType type = zero_point ? zero_point_type(zero_point) : wanted;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "the quantised element type {} is not known or not an integer of 4, 8 or 16 bits", to_string(type))
        .hint("make the zero point a constant of the model, of type int8 or uint8");
  return quantize(rw, node.input(0), spread(node, rw, node.input(1)), spread(node, rw, zero_point), type);
}

/// DequantizeLinear(x, scale, zero) -> (x - zero) * scale
Replacement dequantize_linear(const Node& node, Rewriter& rw) {
  const Value y = dequantize(rw, node.input(0), spread(node, rw, node.input(1)), spread(node, rw, node.input(2)));
  const auto type = node.attr<ElementType>("output_type");
  return type ? rw.create(ops::Convert{.destination_type = *type}, y) : y;
}

/// DynamicQuantizeLinear(x) -> y, scale, zero point for u8:
///   low = min(0, min(x)), high = max(0, max(x)), scale = (high - low) / 255, zero = round(clamp(0 - low / scale, 0, 255))
Replacement dynamic_quantize_linear(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value flat = flattened(rw, x);
  const Value first = rw.integers({0});
  const Value zero = rw.scalar<float>(0);
  const Value low = rw.create(ops::Minimum{}, rw.create(ops::ReduceMin{.keep_dims = false}, flat, first), zero);
  const Value high = rw.create(ops::Maximum{}, rw.create(ops::ReduceMax{.keep_dims = false}, flat, first), zero);
  const Value scale = rw.create(ops::Divide{}, rw.create(ops::Subtract{}, high, low), rw.scalar<float>(255));
  const Value exact_zero_point = rw.create(ops::Subtract{}, zero, rw.create(ops::Divide{}, low, scale));
  const Value limited = rw.create(ops::Clamp{.min = 0, .max = 255}, exact_zero_point);
  const Value rounded = rw.create(ops::Round{.mode = ops::RoundMode::half_to_even}, limited);
  const Value zero_point = rw.create(ops::Convert{.destination_type = ElementType::u8}, rounded);
  return Outputs{quantize(rw, x, scale, zero_point, ElementType::u8), scale, zero_point};
}

}  // namespace

void register_quantization(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxQuantizeLinear").replace_op(quantize_linear));
  passes.add(front_replacement_op("OnnxDequantizeLinear").replace_op(dequantize_linear));
  passes.add(front_replacement_op("OnnxDynamicQuantizeLinear").replace_op(dynamic_quantize_linear));
}

}  // namespace mo::front::onnx
