#include "ops/search_sorted.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/search.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> SearchSorted::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(expect_element_type(ctx, 1, is_number, "a number type"));
  MO_TRY(common_element_type(ctx, {0, 1}));
  MO_TRY(expect_index_type(ctx, "output_type", output_type));
  MO_TRY(ctx.expect_rank(0, 1, std::numeric_limits<std::int64_t>::max()));
  PartialShape shape = ctx.input_shape(1);
  const PartialShape& sorted = ctx.input_shape(0);
  if (sorted.has_rank() && sorted.size() > 1) {
    PartialShape rows = sorted;
    rows[rows.size() - 1] = Dimension();
    MO_ASSIGN(shape, merge_shapes(ctx, shape, rows, "the rows of the sorted input and of the values"));
  }
  ctx.output(0, output_type, std::move(shape));
  return {};
}

Expected<void> SearchSorted::evaluate(EvalContext& ctx) const {
  return reference::search_sorted(ctx.input(0), ctx.input(1), right_mode, ctx.output(0));
}

void register_search_sorted(OpRegistry& registry) { registry.add<SearchSorted>(); }

}  // namespace mo::ops
