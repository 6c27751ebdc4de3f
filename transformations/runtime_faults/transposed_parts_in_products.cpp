#include <numeric>

#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// MatMul(part, b, transpose_a) -> MatMul(Transpose(part), b).
Replacement transposed_first(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::MatMul>();
  const Value part = node.input(0);
  const auto rank = part.type().rank();
  if (!op.transpose_a || part.node().out_port_count() == 1)
    return declined("not transposed, or of an op with one output");
  if (is_computed(node.input(1))) return declined("the other factor is computed");
  if (!rank || *rank < 2) return declined("the rank is unknown, or it is a vector");
  std::vector<std::int64_t> order(static_cast<std::size_t>(*rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  op.transpose_a = false;
  return rw.create(op, rw.create(ops::Transpose{}, part, rw.integers(order)), node.input(1));
}

}  // namespace

void register_transposed_parts_in_products(PassRegistry& passes) {
  passes.add(avoid_fault("TransposedPartsInProducts",
                         {.form = "MatMul that transposes one of several outputs of an op, with a constant matrix",
                          .symptom = "not compiled: get_shape() must be called on a node with exactly one output",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Transpose before the MatMul"})
                 .add(lowering<ops::MatMul>("TransposedFirst", transposed_first)));
}

}  // namespace mo::transformations
