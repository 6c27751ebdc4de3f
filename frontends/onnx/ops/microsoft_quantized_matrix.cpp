#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/quantized_result.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// A vector of numbers for the rows of a matrix, as a column; one number, or what already has two dimensions, stays.
Value as_column(Rewriter& rw, const Value& numbers) {
  if (!numbers || has_one_element(numbers) || numbers.type().rank() != 1) return numbers;
  return rw.fold(ops::Unsqueeze{}, numbers, rw.integers({1}));
}

/// QGemm: alpha * a_scale * b_scale * ((a - a_zero) * (b - b_zero) + c), where c holds whole numbers of that unit; with
/// a scale of the result (input 7) quantised, else real. f32 holds the sums exactly up to 2^24.
Replacement quantized_gemm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 3, 4}));
  const Value a = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  // Zero points per column belong to the columns of the product: with transB, to the rows of the matrix.
  const bool transposed = node.attr("transB", false);
  const Value b = weights_without_zero_point(
      rw, node.input(3), transposed ? as_column(rw, node.input(5)) : node.input(5), ElementType::f32);
  Value sum = rw.create(ops::MatMul{.transpose_a = node.attr("transA", false), .transpose_b = transposed}, a, b);
  if (node.input(6)) sum = rw.create(ops::Add{}, sum, as_type(rw, node.input(6), ElementType::f32));
  Value unit = rw.create(ops::Multiply{}, node.input(1), node.input(4));
  if (const double alpha = node.attr("alpha", 1.0); alpha != 1)
    unit = rw.create(ops::Multiply{}, unit, number_like(rw, unit, alpha));
  if (!node.input(7)) return rw.create(ops::Multiply{}, sum, unit);
  MO_ASSIGN(const ElementType type, quantized_type(node, 8, {2, 0}));
  return round_to(rw, rw.create(ops::Multiply{}, sum, rw.create(ops::Divide{}, unit, node.input(7))), node.input(8),
                  type);
}

/// (a - a_zero) * (b - b_zero), whole numbers, * unit + bias.
Value rescaled_product(Rewriter& rw, const Value& a, const Value& b, const Value& unit, const Value& bias) {
  const Value y = rw.create(ops::Multiply{}, rw.create(ops::MatMul{}, a, b), unit);
  return bias ? rw.create(ops::Add{}, y, bias) : y;
}

/// Inputs: a, b, scales of a and b, zero points of a and b, bias. Vectors belong to the rows of a, to the columns of b.
Replacement matmul_integer_to_float(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  const Value a = without_zero_point(rw, node.input(0), as_column(rw, node.input(4)), ElementType::f32);
  const Value b = weights_without_zero_point(rw, node.input(1), node.input(5), ElementType::f32);
  const Value unit = rw.create(ops::Multiply{}, as_column(rw, node.input(2)), node.input(3));
  return rescaled_product(rw, a, b, unit, node.input(6));
}

/// Inputs: real a, quantised b, its scale, its zero point, bias. a is quantised to u8 by its own range, as
/// DynamicQuantizeLinear does.
Replacement dynamic_quantize_matmul(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const DynamicQuantization dynamic = quantize_by_range(rw, node.input(0));
  const Value a = without_zero_point(rw, dynamic.quantized, dynamic.zero_point, ElementType::f32);
  const Value b = weights_without_zero_point(rw, node.input(1), node.input(3), ElementType::f32);
  return rescaled_product(rw, a, b, rw.create(ops::Multiply{}, dynamic.scale, node.input(2)), node.input(4));
}

/// MulInteger(a, a_zero, b, b_zero) -> (a - a_zero) * (b - b_zero) in i32
Replacement multiply_integer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 2}));
  return rw.create(ops::Multiply{}, without_zero_point(rw, node.input(0), node.input(1), ElementType::i32),
                   without_zero_point(rw, node.input(2), node.input(3), ElementType::i32));
}

Replacement reduce_sum_integer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::ReduceSum{.keep_dims = node.attr("keepdims", true)},
                   as_type(rw, node.input(0), ElementType::i32),
                   rw.integers(node.attr("axes", std::vector<std::int64_t>{})));
}

}  // namespace

/// Products of quantised matrices, and arithmetic of whole numbers (domain com.microsoft).
void register_microsoft_quantized_matrix(OperatorTable& table) {
  table.translate("com.microsoft::QGemm", since(1), quantized_gemm);
  table.translate("com.microsoft::MatMulIntegerToFloat", since(1), matmul_integer_to_float);
  table.translate("com.microsoft::DynamicQuantizeMatMul", since(1), dynamic_quantize_matmul);
  table.translate("com.microsoft::MulInteger", since(1), multiply_integer);
  table.translate("com.microsoft::ReduceSumInteger", since(1), reduce_sum_integer);
}

}  // namespace mo::onnx
