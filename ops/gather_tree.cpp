#include "ops/gather_tree.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/gather_tree.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> GatherTree::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2, 3}));
  for (std::size_t i = 0; i < 4; ++i) MO_TRY(expect_element_type(ctx, i, is_number, "a number type"));
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, 3, 3));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  MO_TRY(expect_scalar(ctx, 3));
  MO_ASSIGN(PartialShape shape, merge_shapes(ctx, ctx.input_shape(0), ctx.input_shape(1), "steps and parents"));
  if (shape.has_rank() && ctx.input_shape(2).has_rank()) {
    MO_ASSIGN(shape[1], merge_dimensions(ctx, shape[1], ctx.input_shape(2)[0], "the batch dimension and max_seq_len"));
  }
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> GatherTree::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const std::vector<std::int64_t> parents, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> lengths, ctx.integers(2));
  if (const auto bad = reference::gather_tree(ctx.input(0), parents, lengths, ctx.input(3), ctx.output(0)))
    return ctx.error("MO-OPS-0203", "parent {} is outside [0, {})", *bad, ctx.input(0).shape()[2])
        .hint("parents are places in the beam");
  return {};
}

void register_gather_tree(OpRegistry& registry) { registry.add<GatherTree>(); }

}  // namespace mo::ops
