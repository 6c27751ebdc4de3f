#include "ops/saturating_convert.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/saturating_convert.hpp"

namespace mo::ops {

Expected<void> SaturatingConvert::infer(InferContext& ctx) const {
  ctx.output(0, destination_type, ctx.input_shape(0));
  return {};
}

Expected<void> SaturatingConvert::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(Tensor out, convert_saturating(ctx.input(0), destination_type));
  ctx.set_output(0, std::move(out));
  return {};
}

void register_saturating_convert(OpRegistry& registry) { registry.add<SaturatingConvert>(); }

}  // namespace mo::ops
