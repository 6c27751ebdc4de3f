#include <fmt/format.h>
#include "frontends/onnx/ops/support/gemm.hpp"
#include "frontends/onnx/ops/support/quantize.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/einsum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/range.hpp"
#include "ops/select.hpp"
#include "ops/support/einsum_equation.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// Gemm(a, b, c) -> alpha * MatMul(a, b) + beta * c
Replacement gemm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Value result, make_gemm(node, rw, node.input(0), node.input(1), node.input(2), read_gemm(node)));
  return result;
}

/// Until opset 6 `broadcast` allows what numpy broadcasting does with C; a C of the full shape is the same in both.
Replacement gemm_of_opset_1(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"broadcast"}, "without it C has the full shape, which broadcasting leaves as it is");
  return gemm(node, rw);
}

/// Numbers per row of a matrix: a vector becomes a column. One number, or a tensor of the matrix's rank, stays.
Value per_row(Rewriter& rw, const Value& numbers) {
  if (!numbers || has_one_element(numbers) || numbers.type().shape.rank() != 1) return numbers;
  return rw.create(ops::Unsqueeze{}, numbers, rw.integers({1}));
}

/// MatMulInteger(a, b, a_zero, b_zero) -> MatMul(a - a_zero, b - b_zero) in i32, which is exact
Replacement matmul_integer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value a = without_zero_point(rw, node.input(0), per_row(rw, node.input(2)), ElementType::i32);
  const Value b = weights_without_zero_point(rw, node.input(1), node.input(3), ElementType::i32);
  return rw.create(ops::MatMul{}, a, b);
}

/// QLinearMatMul -> the product of (a - a_zero) and (b - b_zero), whole numbers, rescaled to units of y_scale and
/// rounded. f32 holds the sums exactly up to 2^24; runtimes multiply f32, not i32.
Replacement qlinear_matmul(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  const ElementType type = node.input_type(7).element_type;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "y_zero_point is {}, which is not an integer of 4, 8 or 16 bits", to_string(type))
        .hint("QLinearMatMul-10 takes int8 and uint8; quantise the model again");
  const Value a = without_zero_point(rw, node.input(0), per_row(rw, node.input(2)), ElementType::f32);
  const Value b = weights_without_zero_point(rw, node.input(3), node.input(5), ElementType::f32);
  const Value sum = rw.create(ops::MatMul{}, a, b);
  const Value unit = rw.create(ops::Multiply{}, as_type(rw, per_row(rw, node.input(1)), ElementType::f32),
                               as_type(rw, node.input(4), ElementType::f32));
  const Value scale = rw.create(ops::Divide{}, unit, as_type(rw, per_row(rw, node.input(6)), ElementType::f32));
  return round_to(rw, rw.create(ops::Multiply{}, sum, scale), per_row(rw, node.input(7)), type);
}

/// Trilu(x, k) -> x where column - row >= k (upper) or <= k (lower), else 0
Replacement trilu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto places = [&](std::int64_t axis) {
    return rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), dimension_of(rw, x, axis),
                     rw.scalar<std::int64_t>(1));
  };
  const Value row = rw.create(ops::Unsqueeze{}, places(-2), rw.integers({1}));
  const Value diagonal = node.input(1) ? rw.create(ops::Add{}, row, node.input(1)) : row;
  const Value column = places(-1);
  const Value keep = node.attr("upper", true) ? rw.create(ops::GreaterEqual{}, column, diagonal)
                                              : rw.create(ops::LessEqual{}, column, diagonal);
  return rw.create(ops::Select{}, keep, x, number_like(rw, x, 0));
}

}  // namespace

void register_matrix(OperatorTable& table) {
  table.extract("MatMul", since(1), [](const FrameworkNode&) -> Expected<Op> { return ops::MatMul{}; });
  table.translate("MatMulInteger", since(10), matmul_integer);
  table.translate("com.microsoft::MatMulInteger16", since(1), matmul_integer);
  table.translate("QLinearMatMul", since(10), qlinear_matmul);
  table.translate("Gemm", versions(1, 6), gemm_of_opset_1);
  table.translate("Gemm", since(7), gemm);
  table.extract("Einsum", since(12), [](const FrameworkNode& node) -> Expected<Op> {
    // Runtimes want the result spelled out, and no blanks.
    const auto equation = node.required<std::string>("equation");
    if (node.failure()) return *node.failure();
    MO_ASSIGN(const ops::EinsumEquation parsed, ops::parse_einsum(equation));
    std::vector<std::string> inputs;
    for (const ops::EinsumLabels& labels : parsed.inputs) inputs.push_back(ops::label_text(labels));
    return ops::Einsum{.equation = fmt::format("{}->{}", fmt::join(inputs, ","), ops::label_text(parsed.output))};
  });
  table.translate("Trilu", since(14), trilu);
  table.translate("com.microsoft::Trilu", since(1), trilu);
}

}  // namespace mo::onnx
