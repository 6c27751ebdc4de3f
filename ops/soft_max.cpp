#include "ops/soft_max.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/soft_max.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

Expected<void> infer_along_axis(InferContext& ctx, std::int64_t axis, std::int64_t lowest_axis_of_rank_1) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  const TensorType& data = ctx.input(0);
  if (const auto rank = data.rank()) {
    const std::int64_t lowest = lowest_axis_of_rank_1 * *rank;
    if (axis < lowest || axis >= *rank)
      return ctx.error("MO-OPS-0012", "axis {} is outside [{}, {})", axis, lowest, *rank)
          .hint("check the exporter's opset, or override the shape with --input_shape");
  }
  ctx.output(0, data);
  return {};
}

}  // namespace

Expected<void> v1::SoftMax::infer(InferContext& ctx) const { return infer_along_axis(ctx, axis, 0); }
Expected<void> v1::SoftMax::evaluate(EvalContext& ctx) const {
  reference::soft_max(ctx.input(0), ctx.output(0), axis, reference::SoftMaxKind::probability);
  return {};
}

Expected<void> v8::SoftMax::infer(InferContext& ctx) const { return infer_along_axis(ctx, axis, -1); }
Expected<void> v8::SoftMax::evaluate(EvalContext& ctx) const {
  reference::soft_max(ctx.input(0), ctx.output(0), *mo::normalize_axis(axis, ctx.input(0).rank()),
                      reference::SoftMaxKind::probability);
  return {};
}

Expected<void> LogSoftmax::infer(InferContext& ctx) const { return infer_along_axis(ctx, axis, -1); }
Expected<void> LogSoftmax::evaluate(EvalContext& ctx) const {
  reference::soft_max(ctx.input(0), ctx.output(0), *mo::normalize_axis(axis, ctx.input(0).rank()),
                      reference::SoftMaxKind::logarithm);
  return {};
}

void register_soft_max(OpRegistry& registry) {
  registry.add<v1::SoftMax>();
  registry.add<v8::SoftMax>();
  registry.add<LogSoftmax>();
}

}  // namespace mo::ops
