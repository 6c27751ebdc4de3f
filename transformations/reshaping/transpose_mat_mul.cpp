#include "core/registry/pass_registry.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {
namespace {

/// What the Transpose reads, when it exchanges the last two dimensions; else empty.
Value before_exchange(const Value& value) {
  if (!value.node().is<ops::Transpose>()) return {};
  const auto order = constant_order(value.node().input(1));
  if (!order || order->size() < 2) return {};
  const std::size_t rank = order->size();
  for (std::size_t i = 0; i + 2 < rank; ++i)
    if ((*order)[i] != i) return {};
  return (*order)[rank - 1] == rank - 2 ? value.node().input(0) : Value();
}

}  // namespace

void register_transpose_mat_mul(PassRegistry& passes) {
  const Pat product = pattern::op<ops::MatMul>();
  passes.offer(rewrite("TransposeMatMul")
                   .described("MatMul(Transpose(a), Transpose(b))", "MatMul(a, b) with the flags turned",
                              "one or both; constant orders that exchange the last two dimensions")
                   .match(product)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(product);
                     ops::MatMul made = *node.as<ops::MatMul>();
                     Value a = before_exchange(node.input(0));
                     Value b = before_exchange(node.input(1));
                     if (!a && !b) return declined("no Transpose of the last two dimensions");
                     made.transpose_a = made.transpose_a != static_cast<bool>(a);
                     made.transpose_b = made.transpose_b != static_cast<bool>(b);
                     return rw.create(made, a ? a : node.input(0), b ? b : node.input(1));
                   }));
}

}  // namespace mo::transformations
