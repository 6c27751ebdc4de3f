#include <algorithm>

#include "frontends/tensorflow/ops/support/network_tail.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/einsum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"

namespace mo::tensorflow {
namespace {

/// Error MO-TF-0640 for matrices of complex numbers, which are pairs of reals in the IR.
Expected<void> expect_reals(const FrameworkNode& node, std::initializer_list<std::string_view> types) {
  for (const std::string_view name : types) {
    const auto value = node.optional_attr<AttributeValue>(name);
    const auto* text = value ? value->get_if<std::string>() : nullptr;
    if (text && text->find("COMPLEX") != std::string::npos)
      return node.error("MO-TF-0640", "{} is {}", name, *text).hint("multiply the real and the imaginary parts apart");
  }
  return {};
}

ops::MatMul product(const FrameworkNode& node, std::string_view first, std::string_view second) {
  return {.transpose_a = node.attr(first, false), .transpose_b = node.attr(second, false)};
}

constexpr const char* kForGradients = "how gradients are computed";
constexpr const char* kHowManyZeros = "hints that there are many zeros; the matrices are stored densely";

Expected<Op> mat_mul(const FrameworkNode& node) {
  node.ignore({"grad_a", "grad_b", "grad_x", "grad_y"}, kForGradients);
  node.ignore({"a_is_sparse", "b_is_sparse"}, kHowManyZeros);
  MO_TRY(expect_reals(node, {"T"}));
  return product(node, "transpose_a", "transpose_b");
}

/// Matrices of real numbers have no imaginary part to conjugate: `adj` transposes.
Expected<Op> batch_mat_mul(const FrameworkNode& node) {
  node.ignore({"grad_x", "grad_y"}, kForGradients);
  MO_TRY(expect_reals(node, {"T"}));
  return product(node, "adj_x", "adj_y");
}

/// A product whose matrices may have other types than the result, in which small integers do not overflow.
Value product_as(const FrameworkNode& node, Rewriter& rw, ops::MatMul op, ElementType type) {
  return rw.create(op, as_type(rw, node.input(0), type), as_type(rw, node.input(1), type));
}

Replacement batch_mat_mul_v3(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"grad_x", "grad_y"}, kForGradients);
  MO_TRY(node.expect_inputs(2));
  MO_TRY(expect_reals(node, {"Ta", "Tb", "Tout"}));
  return product_as(node, rw, product(node, "adj_x", "adj_y"), node.attr("Tout", node.input_type(0).element_type));
}

/// The result is f32.
Replacement sparse_mat_mul(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"a_is_sparse", "b_is_sparse"}, kHowManyZeros);
  MO_TRY(node.expect_inputs(2));
  return product_as(node, rw, product(node, "transpose_a", "transpose_b"), ElementType::f32);
}

/// _FusedMatMul(a, b, …) -> MatMul(a, b), and what Grappler fused after it
Replacement fused_mat_mul(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"num_args", "num_host_args", "host_args"}, "numbers and types of the inputs");
  MO_TRY(node.expect_inputs(2));
  MO_TRY(expect_reals(node, {"T"}));
  const Value result = rw.create(product(node, "transpose_a", "transpose_b"), node.input(0), node.input(1));
  MO_ASSIGN(const Value behind, with_fused_ops(node, rw, result, 2, {}));
  return behind;
}

/// Cross(a, b) -> (a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0), along the last dimension
Replacement cross(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const auto turned = [&](std::size_t input, const std::vector<std::int64_t>& order) {
    return rw.create(ops::Gather{}, node.input(input), rw.integers(order), rw.scalar<std::int64_t>(-1));
  };
  const Value plus = rw.create(ops::Multiply{}, turned(0, {1, 2, 0}), turned(1, {2, 0, 1}));
  const Value minus = rw.create(ops::Multiply{}, turned(0, {2, 0, 1}), turned(1, {1, 2, 0}));
  return rw.create(ops::Subtract{}, plus, minus);
}

/// The equation as the IR's text has it: no blanks, and the output spelled out (numpy: what occurs once, in
/// alphabetical order, after what broadcasts).
std::string normalized_equation(std::string equation) {
  std::erase(equation, ' ');
  if (equation.find("->") != std::string::npos) return equation;
  std::string labels = equation;
  std::erase_if(labels, [](char c) { return c == '.' || c == ','; });
  std::sort(labels.begin(), labels.end());
  std::string output = equation.find("...") == std::string::npos ? "" : "...";
  for (const char label : labels)
    if (std::count(labels.begin(), labels.end(), label) == 1) output += label;
  return equation + "->" + output;
}

Expected<Op> einsum(const FrameworkNode& node) {
  node.ignore({"N"}, "the number of inputs");
  MO_TRY(expect_reals(node, {"T"}));
  return ops::Einsum{.equation = normalized_equation(node.required<std::string>("equation"))};
}

}  // namespace

void register_matrix(OperatorTable& table) {
  table.extract("MatMul", mat_mul);
  table.extract("BatchMatMul", batch_mat_mul);
  table.extract("BatchMatMulV2", batch_mat_mul);
  table.translate("BatchMatMulV3", batch_mat_mul_v3);
  table.translate("SparseMatMul", sparse_mat_mul);
  table.translate("_FusedMatMul", fused_mat_mul);
  table.extract("Einsum", einsum);
  table.translate("Cross", cross);
}

}  // namespace mo::tensorflow
