#include <utility>

#include "core/execution/recipe.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {
namespace {

/// The constant that was folded with a Transpose of its last two dimensions; nothing for another one.
std::optional<Tensor> before_transpose(const Value& operand) {
  if (!operand.node().is<Const>()) return std::nullopt;
  const Tensor& folded = operand.node().as<Const>()->value;
  const auto step = last_step_of(folded);
  if (!step || !step->op->as<ops::Transpose>() || step->inputs->size() != 2) return std::nullopt;
  const Tensor& whole = step->inputs->front();
  Shape swapped = whole.shape();
  const std::size_t rank = swapped.size();
  if (rank < 2) return std::nullopt;
  std::swap(swapped[rank - 1], swapped[rank - 2]);
  auto order = to_integers(step->inputs->back());
  if (!order || folded.shape() != swapped) return std::nullopt;
  if (order->empty())  // all dimensions in reverse
    for (std::size_t i = rank; i-- > 0;) order->push_back(static_cast<std::int64_t>(i));
  if (order->size() != rank) return std::nullopt;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t place = i + 2 < rank ? i : i + 1 == rank ? rank - 2 : rank - 1;
    if ((*order)[i] != static_cast<std::int64_t>(place)) return std::nullopt;
  }
  return whole;
}

Replacement with_flags(const Node& node, Rewriter& rw) {
  ops::MatMul made = *node.as<ops::MatMul>();
  const auto a = before_transpose(node.input(0));
  const auto b = before_transpose(node.input(1));
  if (!a && !b) return declined("no operand is a constant that was transposed");
  made.transpose_a = made.transpose_a != a.has_value();
  made.transpose_b = made.transpose_b != b.has_value();
  return rw.create(made, a ? rw.constant(*a) : node.input(0), b ? rw.constant(*b) : node.input(1));
}

}  // namespace

/// MatMul(x, Transpose(w)) with a constant w -> MatMul(x, w) {transpose_b}: PyTorch's weights stay as the model's file
/// has them, which is the form that runtimes compute with.
void register_mat_mul_transpose_fusion(PassRegistry& passes) {
  const Pat product = pattern::op<ops::MatMul>();
  passes.add(rewrite("MatMulTransposeFusion")
                 .run_before({"CommonSubexpressions"})
                 .match(product)
                 .replace([](const Match& m, Rewriter& rw) -> Replacement { return with_flags(m.root().node(), rw); }));
}

}  // namespace mo::transformations
