#include "core/registry/operator_table.hpp"
#include "ops/einsum.hpp"
#include "ops/mat_mul.hpp"

namespace mo::onnx {
namespace {

Expected<Op> gemm(const FrameworkNode& node) {
  return front_op("OnnxGemm", {{"alpha", node.attr("alpha", 1.0)},
                               {"beta", node.attr("beta", 1.0)},
                               {"transA", node.attr("transA", false)},
                               {"transB", node.attr("transB", false)}});
}

}  // namespace

void register_matrix(OperatorTable& table) {
  table.extract("MatMul", since(1), [](const FrameworkNode&) -> Expected<Op> { return ops::MatMul{}; });
  table.extract("MatMulInteger", since(10), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxMatMulInteger"); });
  table.extract("QLinearMatMul", since(10), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxQLinearMatMul"); });
  // Until opset 6 `broadcast` allows what numpy broadcasting does with C; a C of the full shape is the same in both.
  table.extract("Gemm", versions(1, 6), [](const FrameworkNode& node) {
    node.ignore({"broadcast"});
    return gemm(node);
  });
  table.extract("Gemm", since(7), gemm);
  table.extract("Einsum", since(12),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::Einsum{.equation = node.required<std::string>("equation")}; });
  table.extract("Trilu", since(14), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxTrilu", {{"upper", node.attr("upper", true)}});
  });
}

}  // namespace mo::onnx
