#include "ops/group_normalization.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/channels.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

// More than any model has; the check is for at least two.
constexpr std::int64_t kMostNormDimensions = 64;

}  // namespace

Expected<void> GroupNormalization::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2}));
  MO_TRY(ctx.expect_rank(0, 2, kMostNormDimensions));
  const PartialShape& data = ctx.input_shape(0);
  const Dimension channels = data.has_rank() ? data[1] : Dimension();
  if (num_groups < 1 || (channels.is_known() && channels.value() % num_groups != 0))
    return ctx
        .error("MO-OPS-0343", "{} groups do not divide the {} channels of {}", num_groups, channels.to_string(),
               data.to_string())
        .hint("channels are dimension 1; check num_groups and the layout of the model");
  MO_TRY(expect_per_channel(ctx, 1, channels));
  MO_TRY(expect_per_channel(ctx, 2, channels));
  ctx.output(0, type, data);
  return {};
}

Expected<void> GroupNormalization::evaluate(EvalContext& ctx) const {
  return reference::group_norm(ctx.input(0), ctx.input(1), ctx.input(2), ctx.output(0), num_groups, epsilon);
}

void register_group_normalization(OpRegistry& registry) { registry.add<GroupNormalization>(); }

}  // namespace mo::ops
