#include "ops/mat_mul.hpp"

#include <numeric>

#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The last two dimensions exchanged; a vector has none to exchange.
Expected<Value> turned(Translation& t, std::size_t i) {
  MO_ASSIGN(const std::int64_t rank, t.rank(i));
  if (rank < 2) return t.input(i);
  std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return t.transposed(t.input(i), order);
}

/// Matrices go to Gemm, which transposes by itself.
Expected<Outputs> mat_mul(Translation& t) {
  const auto& op = *t.node.as<ops::MatMul>();
  const auto is_matrix = [&](std::size_t i) { return t.node.input_type(i).rank() == 2; };
  const ElementType type = t.node.output_type().element_type;
  if ((op.transpose_a || op.transpose_b) && is_matrix(0) && is_matrix(1) && is_real(type))
    return Outputs{t.op("Gemm", {t.input(0), t.input(1)},
                        {{"transA", op.transpose_a ? 1 : 0}, {"transB", op.transpose_b ? 1 : 0}})};
  Value a = t.input(0);
  Value b = t.input(1);
  if (op.transpose_a) { MO_ASSIGN(a, turned(t, 0)); }
  if (op.transpose_b) { MO_ASSIGN(b, turned(t, 1)); }
  return Outputs{t.op("MatMul", {a, b})};
}

}  // namespace

void register_mat_mul(OnnxForms& table) { table.add<ops::MatMul>(mat_mul); }

}  // namespace mo::onnx_emitter
