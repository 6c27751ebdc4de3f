#include "extensions/support/onnx_operands.hpp"
#include "extensions/support/quantize.hpp"
#include "extensions/support/window.hpp"
#include "ops/activations.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pooling.hpp"
#include "ops/soft_max.hpp"
#include "ops/transpose.hpp"

namespace mo::front::onnx {
namespace {

/// The element type of a quantised result: that of its zero point, else that of a quantised input (they are equal).
Expected<ElementType> result_type(const Node& node, std::size_t zero_point, std::initializer_list<std::size_t> same) {
  ElementType type = known_element_type(node.input(zero_point));
  for (const std::size_t i : same)
    if (type == ElementType::dynamic) type = known_element_type(node.input(i));
  if (is_quantized_type(type)) return type;
  return node.error("MO-ONNX-0150", "the quantised element type {} is not known or not an integer of 4, 8 or 16 bits", to_string(type))
      .hint("make the zero points constants of the model, of type int8 or uint8");
}

/// Inputs i, i + 1 (scale), i + 2 (zero point) as real numbers.
Value real_input(const Node& node, Rewriter& rw, std::size_t i) { return dequantize(rw, node.input(i), node.input(i + 1), node.input(i + 2)); }

/// y quantised by the scale and the zero point at `scale`, `scale + 1`.
Replacement quantized(const Node& node, Rewriter& rw, const Value& y, std::size_t scale, std::initializer_list<std::size_t> same) {
  auto type = result_type(node, scale + 1, same);
  if (!type) return std::move(type).error();
  return quantize(rw, y, node.input(scale), node.input(scale + 1), *type);
}

/// Two quantised inputs, inputs 6 and 7 describe the result.
template <class T>
Replacement binary(const Node& node, Rewriter& rw) {
  for (const std::size_t i : {0, 1, 3, 4, 6})  // zero points may be left out
    if (!node.input(i)) return missing_input(node);
  return quantized(node, rw, rw.create(T{}, real_input(node, rw, 0), real_input(node, rw, 3)), 6, {2, 5, 0, 3});
}

/// Inputs: condition, two quantised ones, scale and zero point of the result.
Replacement where(const Node& node, Rewriter& rw) {
  for (const std::size_t i : {0, 1, 2, 4, 5, 7})
    if (!node.input(i)) return missing_input(node);
  const Value y = rw.create(ops::Select{}, node.input(0), real_input(node, rw, 1), real_input(node, rw, 4));
  return quantized(node, rw, y, 7, {3, 6, 1, 4});
}

/// A quantised input, inputs 3 and 4 describe the result.
template <class Fn>
auto unary(Fn fn) {
  return needing(2, [fn](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(3)) return missing_input(node);
    return quantized(node, rw, fn(node, rw, real_input(node, rw, 0)), 3, {2, 0});
  });
}

Value leaky_relu(const Node& node, Rewriter& rw, const Value& x) {
  return rw.create(ops::PReLU{}, x, number_like(rw, x, node.attr<double>("alpha").value_or(0.01)));
}

Value global_average(const Node& node, Rewriter& rw, const Value& x) {
  const Value rank = rank_of(rw, node.input(0));
  const Value one = rw.scalar<std::int64_t>(1);
  const bool last = node.attr<bool>("channels_last").value_or(false);
  const Value end = last ? rw.create(ops::Subtract{}, rank, one) : rank;
  const Value axes = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(last ? 1 : 2), end, one);
  return rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
}

Value mean(const Node& node, Rewriter& rw, const Value& x) {
  const auto axes = node.attr<std::vector<std::int64_t>>("axes").value_or(std::vector<std::int64_t>{});
  return rw.create(ops::ReduceMean{.keep_dims = node.attr<bool>("keepdims").value_or(true)}, x,
                   axes.empty() ? axes_from(rw, node.input(0), 0) : rw.integers(axes));
}

template <class T>
Value pooled(Rewriter& rw, const Value& x, const Window& window, bool exclude_pad, decltype(T::rounding_type) rounding) {
  T op;
  op.kernel = window.kernel;
  op.strides = window.strides;
  op.pads_begin = window.pads_begin;
  op.pads_end = window.pads_end;
  op.auto_pad = window.auto_pad;
  op.exclude_pad = exclude_pad;
  op.rounding_type = rounding;
  return rw.create(std::move(op), x);
}

/// ONNX AveragePool of real numbers; windows that ceil_mode adds never start in the padding.
Value average(const Node& node, Rewriter& rw, const Value& real) {
  const Window window = window_of(node);
  const std::size_t rank = window.spatial_rank() + 2;
  const bool last = node.attr<bool>("channels_last").value_or(false);
  const Value x = last ? channels_to_first(rw, real, rank) : real;
  const bool exclude_pad = !node.attr<bool>("count_include_pad").value_or(false);
  const bool ceil = node.attr<bool>("ceil_mode").value_or(false) && window.auto_pad == ops::AutoPad::explicit_pads;
  const Value y = ceil ? pooled<ops::v14::AvgPool>(rw, x, window, exclude_pad, ops::TorchRoundingType::ceil_torch)
                       : pooled<ops::v1::AvgPool>(rw, x, window, exclude_pad, ops::RoundingType::floor);
  return last ? channels_to_last(rw, y, rank) : y;
}

/// Inputs: scale and zero point of the result, then three for each part.
Replacement concat(const Node& node, Rewriter& rw) {
  if (node.in_port_count() < 5) return missing_input(node);
  std::vector<Value> parts;
  for (std::size_t i = 2; i + 1 < node.in_port_count(); i += 3) {
    if (!node.input(i) || !node.input(i + 1)) return missing_input(node);
    parts.push_back(real_input(node, rw, i));
  }
  return quantized(node, rw, rw.create(ops::Concat{.axis = node.attr<std::int64_t>("axis").value_or(0)}, parts), 0, {4, 2});
}

/// QLinearConv with channels_last: the filters are in the order of ONNX all the same.
Replacement convolution_of_channels_last(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(3));
  if (!window) return std::move(window).error();
  const std::size_t rank = window->spatial_rank() + 2;
  std::vector<Value> inputs = {channels_to_first(rw, node.input(0), rank)};
  for (std::size_t i = 1; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return channels_to_last(rw, rw.create_node(front_op("OnnxQLinearConv", node.attributes()), inputs, 1).output(), rank);
}

/// A vector of numbers for the rows of a matrix, as a column; one number, or what already has two dimensions, stays.
Value column(Rewriter& rw, const Value& numbers) {
  if (!numbers || has_one_element(numbers) || known_type(numbers).rank() != 1) return numbers;
  return rw.create(ops::Unsqueeze{}, numbers, rw.integers({1}));
}

/// QGemm: alpha * a_scale * b_scale * ((a - a_zero) * (b - b_zero) + c), where c holds whole numbers of that unit; with a scale of the result
/// (input 7) quantised, else real. f32 holds the sums exactly up to 2^24.
Replacement quantized_gemm(const Node& node, Rewriter& rw) {
  for (const std::size_t i : {3, 4})
    if (!node.input(i)) return missing_input(node);
  const Value a = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  // Zero points per column belong to the columns of the product: with transB, to the rows of the matrix.
  const bool transposed = node.attr<bool>("transB").value_or(false);
  const Value b = without_zero_point(rw, node.input(3), transposed ? column(rw, node.input(5)) : node.input(5), ElementType::f32);
  Value sum = rw.create(ops::MatMul{.transpose_a = node.attr<bool>("transA").value_or(false), .transpose_b = transposed}, a, b);
  if (node.input(6)) sum = rw.create(ops::Add{}, sum, as_type(rw, node.input(6), ElementType::f32));
  Value unit = rw.create(ops::Multiply{}, node.input(1), node.input(4));
  if (const double alpha = node.attr<double>("alpha").value_or(1); alpha != 1) unit = rw.create(ops::Multiply{}, unit, number_like(rw, unit, alpha));
  if (!node.input(7)) return rw.create(ops::Multiply{}, sum, unit);
  auto type = result_type(node, 8, {2, 0});
  if (!type) return std::move(type).error();
  return round_to(rw, rw.create(ops::Multiply{}, sum, rw.create(ops::Divide{}, unit, node.input(7))), node.input(8), *type);
}

/// (a - a_zero) * (b - b_zero), whole numbers, * unit + bias.
Value rescaled_product(Rewriter& rw, const Value& a, const Value& b, const Value& unit, const Value& bias) {
  const Value y = rw.create(ops::Multiply{}, rw.create(ops::MatMul{}, a, b), unit);
  return bias ? rw.create(ops::Add{}, y, bias) : y;
}

/// Inputs: a, b, scales of a and b, zero points of a and b, bias. Vectors belong to the rows of a, to the columns of b.
Replacement matmul_integer_to_float(const Node& node, Rewriter& rw) {
  const Value a = without_zero_point(rw, node.input(0), column(rw, node.input(4)), ElementType::f32);
  const Value b = without_zero_point(rw, node.input(1), node.input(5), ElementType::f32);
  const Value unit = rw.create(ops::Multiply{}, column(rw, node.input(2)), node.input(3));
  return rescaled_product(rw, a, b, unit, node.input(6));
}

/// Inputs: real a, quantised b, its scale, its zero point, bias. a is quantised to u8 by its own range, as DynamicQuantizeLinear does.
Replacement dynamic_quantize_matmul(const Node& node, Rewriter& rw) {
  const Value input[] = {node.input(0)};
  const Node dynamic = rw.create_node(front_op("OnnxDynamicQuantizeLinear"), input, 3);
  const Value a = without_zero_point(rw, dynamic.output(0), dynamic.output(2), ElementType::f32);
  const Value b = without_zero_point(rw, node.input(1), node.input(3), ElementType::f32);
  return rescaled_product(rw, a, b, rw.create(ops::Multiply{}, dynamic.output(1), node.input(2)), node.input(4));
}

/// MulInteger(a, a_zero, b, b_zero) -> (a - a_zero) * (b - b_zero) in i32
Replacement multiply_integer(const Node& node, Rewriter& rw) {
  if (!node.input(2)) return missing_input(node);
  return rw.create(ops::Multiply{}, without_zero_point(rw, node.input(0), node.input(1), ElementType::i32),
                   without_zero_point(rw, node.input(2), node.input(3), ElementType::i32));
}

Replacement reduce_sum_integer(const Node& node, Rewriter& rw) {
  const auto axes = node.attr<std::vector<std::int64_t>>("axes").value_or(std::vector<std::int64_t>{});
  return rw.create(ops::ReduceSum{.keep_dims = node.attr<bool>("keepdims").value_or(true)}, as_type(rw, node.input(0), ElementType::i32),
                   rw.integers(axes));
}

}  // namespace

void register_microsoft_quantization(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftQLinearAdd").replace_op(binary<ops::Add>));
  passes.add(front_replacement_op("MicrosoftQLinearMul").replace_op(binary<ops::Multiply>));
  passes.add(front_replacement_op("MicrosoftQLinearWhere").replace_op(where));
  passes.add(front_replacement_op("MicrosoftQLinearSigmoid").replace_op(unary([](const Node&, Rewriter& rw, const Value& x) {
    return rw.create(ops::Sigmoid{}, x);
  })));
  passes.add(front_replacement_op("MicrosoftQLinearSoftmax").replace_op(unary([](const Node& node, Rewriter& rw, const Value& x) {
    const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(-1);
    if (node.attr<bool>("rows").value_or(false)) return rw.create(front_op("SoftmaxOfRows", {{"axis", axis}}), x);
    return rw.create(ops::SoftMax{.axis = axis}, x);
  })));
  passes.add(front_replacement_op("MicrosoftQLinearLeakyRelu").replace_op(unary(leaky_relu)));
  passes.add(front_replacement_op("MicrosoftQLinearGlobalAveragePool").replace_op(unary(global_average)));
  passes.add(front_replacement_op("MicrosoftQLinearReduceMean").replace_op(unary(mean)));
  passes.add(front_replacement_op("MicrosoftQLinearAveragePool").replace_op(unary(average)));
  passes.add(front_replacement_op("MicrosoftQLinearConcat").replace_op(needing(1, concat)));
  passes.add(front_replacement_op("MicrosoftQLinearConv")
                 .replace_op(needing(2, [](const Node& node, Rewriter& rw) -> Replacement {
                   for (const std::size_t i : {3, 4, 6})
                     if (!node.input(i)) return missing_input(node);
                   return convolution_of_channels_last(node, rw);
                 })));
  passes.add(front_replacement_op("MicrosoftQGemm").replace_op(needing(2, quantized_gemm)));
  passes.add(front_replacement_op("MicrosoftMatMulIntegerToFloat").replace_op(needing(4, matmul_integer_to_float)));
  passes.add(front_replacement_op("MicrosoftDynamicQuantizeMatMul")
                 .run_before({"OnnxDynamicQuantizeLinear"})
                 .replace_op(needing(3, dynamic_quantize_matmul)));
  passes.add(front_replacement_op("MicrosoftMulInteger").replace_op(needing(1, multiply_integer)));
  passes.add(front_replacement_op("MicrosoftReduceSumInteger").replace_op(needing(1, reduce_sum_integer)));
}

}  // namespace mo::front::onnx
