#include <cmath>

#include "extensions/support/front.hpp"
#include "extensions/support/quantize.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/range.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

/// alpha * x; integers only take integer factors.
Expected<Value> times(const Node& node, Rewriter& rw, const Value& x, double factor, std::string_view name) {
  if (factor == 1) return x;
  if (factor != std::floor(factor) && is_integral(known_type(node.input(0)).element_type))
    return node.error("MO-ONNX-0130", "{} is {}, but the matrices hold integers", name, factor).hint("export the model with real numbers");
  return rw.create(ops::Multiply{}, x, number_like(rw, x, factor));
}

/// Gemm(a, b, c) -> alpha * MatMul(a, b) + beta * c
Replacement gemm(const Node& node, Rewriter& rw) {
  const Value product =
      rw.create(ops::MatMul{.transpose_a = node.attr<bool>("transA").value_or(false), .transpose_b = node.attr<bool>("transB").value_or(false)},
                node.input(0), node.input(1));
  auto scaled = times(node, rw, product, node.attr<double>("alpha").value_or(1), "alpha");
  if (!scaled) return std::move(scaled).error();
  const double beta = node.attr<double>("beta").value_or(1);
  if (!node.input(2) || beta == 0) return *scaled;
  auto added = times(node, rw, node.input(2), beta, "beta");
  if (!added) return std::move(added).error();
  return rw.create(ops::Add{}, *scaled, *added);
}

/// Numbers per row of a matrix: a vector becomes a column. One number, or a tensor of the matrix's rank, stays.
Value per_row(Rewriter& rw, const Value& numbers) {
  if (!numbers || has_one_element(numbers) || known_type(numbers).rank() != 1) return numbers;
  return rw.create(ops::Unsqueeze{}, numbers, rw.integers({1}));
}

/// MatMulInteger(a, b, a_zero, b_zero) -> MatMul(a - a_zero, b - b_zero) in i32, which is exact
Replacement matmul_integer(const Node& node, Rewriter& rw) {
  const Value a = without_zero_point(rw, node.input(0), per_row(rw, node.input(2)), ElementType::i32);
  const Value b = without_zero_point(rw, node.input(1), node.input(3), ElementType::i32);
  return rw.create(ops::MatMul{}, a, b);
}

/// QLinearMatMul -> the product of (a - a_zero) and (b - b_zero), whole numbers, rescaled to units of y_scale and rounded. f32 holds the
/// sums exactly up to 2^24; runtimes multiply f32, not i32.
Replacement qlinear_matmul(const Node& node, Rewriter& rw) {
  const ElementType type = known_type(node.input(7)).element_type;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "the element type of y_zero_point is not known or not an 8-bit integer")
        .hint("make the zero point a constant of the model");
  const Value a = without_zero_point(rw, node.input(0), per_row(rw, node.input(2)), ElementType::f32);
  const Value b = without_zero_point(rw, node.input(3), node.input(5), ElementType::f32);
  const Value sum = rw.create(ops::MatMul{}, a, b);
  const Value unit =
      rw.create(ops::Multiply{}, as_type(rw, per_row(rw, node.input(1)), ElementType::f32), as_type(rw, node.input(4), ElementType::f32));
  const Value scale = rw.create(ops::Divide{}, unit, as_type(rw, per_row(rw, node.input(6)), ElementType::f32));
  return round_to(rw, rw.create(ops::Multiply{}, sum, scale), per_row(rw, node.input(7)), type);
}

/// Trilu(x, k) -> x where column - row >= k (upper) or <= k (lower), else 0
Replacement trilu(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const auto range = [&](std::int64_t axis) {
    return rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), dimension_of(rw, x, axis), rw.scalar<std::int64_t>(1));
  };
  const Value row = rw.create(ops::Unsqueeze{}, range(-2), rw.integers({1}));
  const Value diagonal = node.input(1) ? rw.create(ops::Add{}, row, node.input(1)) : row;
  const Value column = range(-1);
  const Value keep =
      node.attr<bool>("upper").value_or(true) ? rw.create(ops::GreaterEqual{}, column, diagonal) : rw.create(ops::LessEqual{}, column, diagonal);
  return rw.create(ops::Select{}, keep, x, number_like(rw, x, 0));
}

}  // namespace

void register_matrix(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxGemm").replace_op(gemm));
  passes.add(front_replacement_op("OnnxMatMulInteger").replace_op(matmul_integer));
  passes.add(front_replacement_op("OnnxQLinearMatMul").replace_op(qlinear_matmul));
  passes.add(front_replacement_op("OnnxTrilu").replace_op(trilu));
}

}  // namespace mo::front::onnx
