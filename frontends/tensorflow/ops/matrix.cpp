#include <algorithm>

#include "frontends/tensorflow/ops/support/spatial_window.hpp"
#include "ops/einsum.hpp"
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

Expected<Op> mat_mul(const FrameworkNode& node) {
  node.ignore({"grad_a", "grad_b", "a_is_sparse", "b_is_sparse", "grad_x", "grad_y"});
  MO_TRY(expect_reals(node, {"T"}));
  return product(node, "transpose_a", "transpose_b");
}

/// Matrices of real numbers have no imaginary part to conjugate: `adj` transposes.
Expected<Op> batch_mat_mul(const FrameworkNode& node) {
  node.ignore({"grad_x", "grad_y"});
  MO_TRY(expect_reals(node, {"T"}));
  return product(node, "adj_x", "adj_y");
}

/// A product whose matrices have other types than the result.
Expected<Op> mixed_product(const FrameworkNode& node, ops::MatMul op, std::string_view first, std::string_view second, ElementType result) {
  if (read_type(node, first).value_or(result) == result && read_type(node, second).value_or(result) == result) return op;
  return front_op("TfMixedMatMul", {{"transpose_a", op.transpose_a}, {"transpose_b", op.transpose_b}, {"type", result}});
}

Expected<Op> batch_mat_mul_v3(const FrameworkNode& node) {
  node.ignore({"grad_x", "grad_y"});
  MO_TRY(expect_reals(node, {"Ta", "Tb", "Tout"}));
  const ElementType first = read_type(node, "Ta").value_or(ElementType::f32);
  return mixed_product(node, product(node, "adj_x", "adj_y"), "Ta", "Tb", read_type(node, "Tout").value_or(first));
}

/// The flags say how many zeros there are, not how the matrices are stored. The result is f32.
Expected<Op> sparse_mat_mul(const FrameworkNode& node) {
  node.ignore({"a_is_sparse", "b_is_sparse"});
  return mixed_product(node, product(node, "transpose_a", "transpose_b"), "Ta", "Tb", ElementType::f32);
}

Expected<Op> fused_mat_mul(const FrameworkNode& node) {
  node.ignore({"num_args", "num_host_args", "host_args"});
  MO_TRY(expect_reals(node, {"T"}));
  const ops::MatMul op = product(node, "transpose_a", "transpose_b");
  return front_op("TfFusedMatMul", {{"transpose_a", op.transpose_a},
                                    {"transpose_b", op.transpose_b},
                                    {"fused_ops", node.attr<std::vector<std::string>>("fused_ops", {})},
                                    {"epsilon", node.attr("epsilon", 1e-4)},
                                    {"leakyrelu_alpha", node.attr("leakyrelu_alpha", 0.2)}});
}

/// The equation as the IR's text has it: no blanks, and the output spelled out (numpy: what occurs once, in alphabetical order, behind what
/// broadcasts).
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
  node.ignore({"N"});
  MO_TRY(expect_reals(node, {"T"}));
  return ops::Einsum{.equation = normalized_equation(node.required<std::string>("equation"))};
}

}  // namespace

void register_matrix(OperatorTable& table) {
  table.extract("MatMul", mat_mul);
  table.extract("BatchMatMul", batch_mat_mul);
  table.extract("BatchMatMulV2", batch_mat_mul);
  table.extract("BatchMatMulV3", batch_mat_mul_v3);
  table.extract("SparseMatMul", sparse_mat_mul);
  table.extract("_FusedMatMul", fused_mat_mul);
  table.extract("Einsum", einsum);
  table.extract("Cross", [](const FrameworkNode&) -> Expected<Op> { return front_op("TfCross"); });
}

}  // namespace mo::tensorflow
