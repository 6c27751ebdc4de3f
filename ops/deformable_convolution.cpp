#include "ops/deformable_convolution.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/deformable_convolution.hpp"
#include "ops/support/convolution.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kMostGroups = std::int64_t{1} << 31;

/// `shape` is [N, per_position * deformable_group * kernel, out…] as far as it is known.
Expected<void> check_companion(const InferContext& ctx, std::size_t input, std::string_view what,
                               const Dimension& channels, const PartialShape& out) {
  const PartialShape& shape = ctx.input_shape(input);
  PartialShape wanted = out;
  wanted[1] = channels;
  if (shape.compatible(wanted)) return {};
  return ctx.error("MO-OPS-0307", "{} {} do not fit, {} is expected", what, shape.to_string(), wanted.to_string())
      .hint("one y and one x offset, and one mask value, per kernel position, deformable group and result position");
}

template <class Op>
Expected<void> infer_deformable(const Op& op, InferContext& ctx, std::size_t most_inputs) {
  MO_TRY(ctx.expect_inputs(3, most_inputs));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  const bool has_mask = ctx.has_input(3);
  ElementType type = ElementType::dynamic;
  if (has_mask) {
    MO_ASSIGN(type, common_element_type(ctx, {0, 1, 2, 3}));
  } else {
    MO_ASSIGN(type, common_element_type(ctx, {0, 1, 2}));
  }
  for (const std::size_t i : {0, 1, 2}) MO_TRY(ctx.expect_rank(i, 4, 4));
  if (has_mask) MO_TRY(ctx.expect_rank(3, 4, 4));
  for (const std::int64_t groups : {op.group, op.deformable_group})
    if (groups < 1 || groups > kMostGroups)
      return ctx.error("MO-OPS-0308", "a group count of {} is not positive", groups);
  const PartialShape data = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(4);
  const PartialShape filters = ctx.input_shape(2).has_rank() ? ctx.input_shape(2) : PartialShape::of_rank(4);
  if (data[1].is_known() && data[1].value() % op.deformable_group != 0)
    return ctx
        .error("MO-OPS-0308", "data {} has {} channels, which {} deformable groups do not divide", data.to_string(),
               data[1].to_string(), op.deformable_group)
        .hint("check deformable_group and the layout of the input (channels are dimension 1)");
  MO_ASSIGN(PartialShape shape, convolution_shape(ctx, data, filters, {}, op.group, window_of(op)));
  const Dimension positions = filters[2] * filters[3] * Dimension(op.deformable_group);
  MO_TRY(check_companion(ctx, 1, "offsets", positions * Dimension(2), shape));
  if (has_mask) MO_TRY(check_companion(ctx, 3, "masks", positions, shape));
  ctx.output(0, type, std::move(shape));
  return {};
}

template <class Op>
Expected<void> evaluate_deformable(const Op& op, EvalContext& ctx, bool pad) {
  const Tensor& data = ctx.input(0);
  const Tensor& filters = ctx.input(2);
  Tensor& out = ctx.output(0);
  const auto geometry = convolution_geometry(data.shape(), filters.shape(), out.shape(), {}, op.group, window_of(op));
  return reference::deformable_convolution(data, ctx.input(1), filters, ctx.has_input(3) ? &ctx.input(3) : nullptr, out,
                                           geometry, op.deformable_group, pad);
}

}  // namespace

Expected<void> v1::DeformableConvolution::infer(InferContext& ctx) const { return infer_deformable(*this, ctx, 3); }
Expected<void> v1::DeformableConvolution::evaluate(EvalContext& ctx) const {
  return evaluate_deformable(*this, ctx, false);
}

Expected<void> v8::DeformableConvolution::infer(InferContext& ctx) const { return infer_deformable(*this, ctx, 4); }
Expected<void> v8::DeformableConvolution::evaluate(EvalContext& ctx) const {
  return evaluate_deformable(*this, ctx, bilinear_interpolation_pad);
}

void register_deformable_convolution(OpRegistry& registry) {
  registry.add<v1::DeformableConvolution>();
  registry.add<v8::DeformableConvolution>();
}

}  // namespace mo::ops
