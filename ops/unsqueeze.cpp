#include "ops/unsqueeze.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/reinterpret.hpp"

namespace mo::ops {
namespace {

Expected<PartialShape> unsqueezed(const InferContext& ctx, const PartialShape& shape) {
  if (!shape.has_rank()) return PartialShape::unknown_rank();
  const auto axes = ctx.integers(1);
  if (!axes) {
    const auto count = list_length(ctx, 1);
    return count && *count <= static_cast<std::size_t>(kMaxPartialElements)
               ? PartialShape::of_rank(shape.size() + *count)
               : PartialShape::unknown_rank();
  }
  const std::size_t rank = shape.size() + axes->size();
  MO_ASSIGN(const std::vector<std::int64_t> places, normalize_axes(ctx, *axes, static_cast<std::int64_t>(rank)));
  std::vector<bool> inserted(rank);
  for (const std::int64_t place : places) inserted[static_cast<std::size_t>(place)] = true;
  std::vector<Dimension> dims(rank, Dimension(1));
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i)
    if (!inserted[i]) dims[i] = shape[next++];
  return PartialShape(std::move(dims));
}

}  // namespace

Expected<void> Unsqueeze::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(1, 0, 1));
  MO_ASSIGN(PartialShape shape, unsqueezed(ctx, ctx.input_shape(0)));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> Unsqueeze::evaluate(EvalContext& ctx) const { return share_input(ctx); }

LayoutNeed Unsqueeze::layout_need(const InferContext& ctx) const {
  const auto rank = ctx.input(0).rank();
  const auto axes = ctx.integers(1);
  return rank && axes && keeps_order_without(*axes, *rank + static_cast<std::int64_t>(axes->size()))
             ? LayoutNeed::either
             : LayoutNeed::original;
}

void register_unsqueeze(OpRegistry& registry) { registry.add<Unsqueeze>(); }

}  // namespace mo::ops
