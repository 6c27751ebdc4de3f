#include "ops/fake_convert.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/fake_convert.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {

Expected<void> FakeConvert::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  const bool has_shift = ctx.has_input(2);
  const auto is_short_real = [](ElementType type) { return is_real(type) && type != ElementType::f64; };
  MO_TRY(expect_element_type(ctx, 0, is_short_real, "f16, bf16 or f32"));
  MO_ASSIGN(ElementType type, common_element_type(ctx, {0, 1}));
  if (has_shift) { MO_ASSIGN(type, common_element_type(ctx, {0, 1, 2})); }
  MO_ASSIGN(PartialShape shape, expect_fits_into(ctx, ctx.input_shape(0), ctx.input_shape(1), "scale"));
  if (has_shift) { MO_ASSIGN(shape, expect_fits_into(ctx, shape, ctx.input_shape(2), "shift")); }
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> FakeConvert::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  Tensor none;
  if (!ctx.has_input(2)) { MO_ASSIGN(none, Tensor::allocate(data.element_type(), {})); }
  const reference::Float8Format format =
      destination_type == Float8::f8e4m3 ? reference::kFloat8e4m3 : reference::kFloat8e5m2;
  reference::fake_convert(data, ctx.input(1), ctx.has_input(2) ? ctx.input(2) : none, format, ctx.output(0));
  return {};
}

void register_fake_convert(OpRegistry& registry) { registry.add<FakeConvert>(); }

}  // namespace mo::ops
