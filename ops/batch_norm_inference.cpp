#include "ops/batch_norm_inference.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/channels.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// Which input is what.
struct InputOrder {
  std::size_t data;
  std::size_t gamma;
  std::size_t beta;
};
// More than any model has; the check is for at least two.
constexpr std::int64_t kMostDimensions = 64;
constexpr std::size_t kMean = 3;
constexpr std::size_t kVariance = 4;
constexpr InputOrder kOpset1{2, 0, 1};
constexpr InputOrder kOpset5{0, 1, 2};

Expected<void> infer_batch_norm(InferContext& ctx, const InputOrder& order, double epsilon) {
  MO_TRY(ctx.expect_inputs(5));
  if (!(epsilon >= 0))
    return ctx.error("MO-OPS-0344", "epsilon is {}", epsilon).hint("it is added to the variance, so it is 0 or more");
  MO_TRY(expect_element_type(ctx, order.data, is_real, "a real number"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2, 3, 4}));
  MO_TRY(ctx.expect_rank(order.data, 2, kMostDimensions));
  PartialShape shape = ctx.input_shape(order.data);
  Dimension channels = shape.has_rank() ? shape[1] : Dimension();
  for (const std::size_t i : {order.gamma, order.beta, kMean, kVariance}) {
    MO_TRY(expect_per_channel(ctx, i, channels));
    // What one of them knows of the channels holds for all.
    if (const PartialShape& own = ctx.input_shape(i); own.has_rank() && own.size() == 1)
      channels = channels.merge(own[0]).value_or(channels);
  }
  if (shape.has_rank()) shape[1] = channels;
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> evaluate_batch_norm(EvalContext& ctx, const InputOrder& order, double epsilon) {
  return reference::batch_norm(ctx.input(order.data),
                               {ctx.input(order.gamma), ctx.input(order.beta), ctx.input(kMean), ctx.input(kVariance)},
                               ctx.output(0), epsilon);
}

}  // namespace

Expected<void> v0::BatchNormInference::infer(InferContext& ctx) const {
  return infer_batch_norm(ctx, kOpset1, epsilon);
}
Expected<void> v0::BatchNormInference::evaluate(EvalContext& ctx) const {
  return evaluate_batch_norm(ctx, kOpset1, epsilon);
}

Expected<void> v5::BatchNormInference::infer(InferContext& ctx) const {
  return infer_batch_norm(ctx, kOpset5, epsilon);
}
Expected<void> v5::BatchNormInference::evaluate(EvalContext& ctx) const {
  return evaluate_batch_norm(ctx, kOpset5, epsilon);
}

void register_batch_norm_inference(OpRegistry& registry) {
  registry.add<v0::BatchNormInference>();
  registry.add<v5::BatchNormInference>();
}

}  // namespace mo::ops
