#include "ops/bucketize.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/search.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> Bucketize::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(expect_element_type(ctx, 1, is_number, "a number type"));
  MO_TRY(expect_index_type(ctx, "output_type", output_type));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  ctx.output(0, output_type, ctx.input_shape(0));
  return {};
}

Expected<void> Bucketize::evaluate(EvalContext& ctx) const {
  return reference::search_sorted(ctx.input(1), ctx.input(0), /*after_equal=*/!with_right_bound, ctx.output(0));
}

void register_bucketize(OpRegistry& registry) { registry.add<Bucketize>(); }

}  // namespace mo::ops
