#include "ops/transpose.hpp"

#include <algorithm>
#include <numeric>

#include "core/op/define_op.hpp"
#include "ops/reference/transpose.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

std::vector<std::int64_t> reversed_order(std::size_t rank) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

Expected<PartialShape> transposed(const InferContext& ctx, const PartialShape& shape) {
  auto order = ctx.integers(1);
  if (!order) {
    // An empty order fits every rank.
    const auto length = list_length(ctx, 1);
    if (shape.has_rank() && length && *length > 0 && *length != shape.size())
      return ctx
          .error("MO-OPS-0206", "an order of {} values is not a permutation of the dimensions of {}", *length,
                 shape.to_string())
          .hint("the order names each dimension of the input once; check --input_shape and the layout of the model");
    if (shape.has_rank()) return PartialShape::of_rank(shape.size());
    return length && *length > 0 && *length <= static_cast<std::size_t>(kMaxPartialElements)
               ? PartialShape::of_rank(*length)
               : PartialShape::unknown_rank();
  }
  if (order->empty()) {
    if (!shape.has_rank()) return PartialShape::unknown_rank();
    order = reversed_order(shape.size());
  }
  std::vector<bool> seen(order->size());
  for (const std::int64_t axis : *order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(order->size()) || seen[static_cast<std::size_t>(axis)] ||
        (shape.has_rank() && shape.size() != order->size()))
      return ctx
          .error("MO-OPS-0206", "order {} is not a permutation of the dimensions of {}", to_string(Shape(*order)),
                 shape.to_string())
          .hint("the order names each dimension of the input once; check --input_shape and the layout of the model");
    seen[static_cast<std::size_t>(axis)] = true;
  }
  if (!shape.has_rank()) return PartialShape::of_rank(order->size());
  PartialShape result = shape;
  for (std::size_t i = 0; i < order->size(); ++i) result[i] = shape[static_cast<std::size_t>((*order)[i])];
  return result;
}

}  // namespace

Expected<void> Transpose::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_ASSIGN(PartialShape shape, transposed(ctx, ctx.input_shape(0)));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> Transpose::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  return evaluate_rows(ctx, 0);
}

Expected<void> Transpose::evaluate_rows(EvalContext& ctx, std::int64_t first) const {
  MO_ASSIGN(std::vector<std::int64_t> order, ctx.integers(1));
  if (order.empty()) order = reversed_order(ctx.input(0).shape().size());
  reference::transpose(ctx.input(0), order, ctx.output(0), first);
  return {};
}

void register_transpose(OpRegistry& registry) { registry.add<Transpose>(); }

}  // namespace mo::ops
