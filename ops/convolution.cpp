#include "ops/convolution.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/convolution.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

template <class Op>
Expected<void> infer_forward(const Op& op, InferContext& ctx, FilterLayout layout) {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_ASSIGN(PartialShape shape,
            convolution_shape(ctx, ctx.input_shape(0), ctx.input_shape(1), layout, 1, window_of(op)));
  ctx.output(0, type, std::move(shape));
  return {};
}

template <class Op>
Expected<void> evaluate_forward(const Op& op, EvalContext& ctx, FilterLayout layout) {
  const Tensor& data = ctx.input(0);
  const Tensor& filters = ctx.input(1);
  Tensor& out = ctx.output(0);
  return reference::convolution(
      data, filters, out, convolution_geometry(data.shape(), filters.shape(), out.shape(), layout, 1, window_of(op)));
}

template <class Op>
Expected<void> infer_backward(const Op& op, InferContext& ctx, FilterLayout layout) {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  if (ctx.has_input(2)) MO_TRY(expect_element_type(ctx, 2, is_integral, "an integer"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_ASSIGN(PartialShape shape, convolution_backprop_shape(ctx, layout, window_of(op), op.output_padding));
  ctx.output(0, type, std::move(shape));
  return {};
}

template <class Op>
Expected<void> evaluate_backward(const Op& op, EvalContext& ctx, FilterLayout layout) {
  const Tensor& data = ctx.input(0);
  const Tensor& filters = ctx.input(1);
  Tensor& out = ctx.output(0);
  return reference::convolution(data, filters, out,
                                convolution_backprop_geometry(data.shape(), filters.shape(), out.shape(), layout,
                                                              window_of(op), op.output_padding, ctx.has_input(2)));
}

constexpr FilterLayout kPlain{};
constexpr FilterLayout kGrouped{.grouped = true};
constexpr FilterLayout kTransposed{.transposed = true};
constexpr FilterLayout kGroupedTransposed{.grouped = true, .transposed = true};

}  // namespace

Expected<void> Convolution::infer(InferContext& ctx) const { return infer_forward(*this, ctx, kPlain); }
Expected<void> Convolution::evaluate(EvalContext& ctx) const { return evaluate_forward(*this, ctx, kPlain); }

Expected<void> GroupConvolution::infer(InferContext& ctx) const { return infer_forward(*this, ctx, kGrouped); }
Expected<void> GroupConvolution::evaluate(EvalContext& ctx) const { return evaluate_forward(*this, ctx, kGrouped); }

Expected<void> ConvolutionBackpropData::infer(InferContext& ctx) const {
  return infer_backward(*this, ctx, kTransposed);
}
Expected<void> ConvolutionBackpropData::evaluate(EvalContext& ctx) const {
  return evaluate_backward(*this, ctx, kTransposed);
}

Expected<void> GroupConvolutionBackpropData::infer(InferContext& ctx) const {
  return infer_backward(*this, ctx, kGroupedTransposed);
}
Expected<void> GroupConvolutionBackpropData::evaluate(EvalContext& ctx) const {
  return evaluate_backward(*this, ctx, kGroupedTransposed);
}

void register_convolution(OpRegistry& registry) {
  registry.add<Convolution>();
  registry.add<GroupConvolution>();
  registry.add<ConvolutionBackpropData>();
  registry.add<GroupConvolutionBackpropData>();
}

}  // namespace mo::ops
