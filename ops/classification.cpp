#include "ops/classification.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/classification.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

Expected<void> infer_classification(InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kReal.accepts, kReal.description));
  ctx.output(0, ElementType::boolean, ctx.input_shape(0));
  return {};
}

Expected<void> classify(EvalContext& ctx, unsigned classes) {
  reference::classify(ctx.input(0), ctx.output(0), classes);
  return {};
}

}  // namespace

Expected<void> IsFinite::infer(InferContext& ctx) const { return infer_classification(ctx); }
Expected<void> IsFinite::evaluate(EvalContext& ctx) const { return classify(ctx, reference::kFinite); }

Expected<void> IsInf::infer(InferContext& ctx) const { return infer_classification(ctx); }
Expected<void> IsInf::evaluate(EvalContext& ctx) const {
  return classify(ctx, (detect_negative ? reference::kNegativeInfinity : 0U) |
                           (detect_positive ? reference::kPositiveInfinity : 0U));
}

Expected<void> IsNaN::infer(InferContext& ctx) const { return infer_classification(ctx); }
Expected<void> IsNaN::evaluate(EvalContext& ctx) const { return classify(ctx, reference::kNotANumber); }

void register_classification(OpRegistry& registry) {
  registry.add<IsFinite>();
  registry.add<IsInf>();
  registry.add<IsNaN>();
}

}  // namespace mo::ops
