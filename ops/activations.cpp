#include "ops/activations.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/activations.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

/// Data of a real type and nothing else; the output is like the data.
Expected<void> infer_activation(InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kReal.accepts, kReal.description));
  ctx.output(0, ctx.input(0));
  return {};
}

/// Data and two parameters of one element, all of one real type.
Expected<void> infer_with_parameters(InferContext& ctx, std::string_view first, std::string_view second) {
  MO_TRY(ctx.expect_inputs(3));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2}));
  for (const std::size_t i : {0, 1, 2}) MO_TRY(expect_element_type(ctx, i, kReal.accepts, kReal.description));
  MO_TRY(expect_one_element(ctx, 1, first));
  MO_TRY(expect_one_element(ctx, 2, second));
  ctx.output(0, type, ctx.input_shape(0));
  return {};
}

/// IR PReLU-1: a 1-D slope as long as dimension 1 of the data lies along that dimension, even when the last dimension
/// has the same length. Only decidable when the dimensions are known (or carry the same symbol).
bool is_per_channel(const PartialShape& data, const PartialShape& slope) {
  return data.has_rank() && data.size() >= 2 && slope.has_rank() && slope.size() == 1 && slope[0].same_value(data[1]);
}

}  // namespace

Expected<void> Elu::infer(InferContext& ctx) const { return infer_activation(ctx); }
Expected<void> Elu::evaluate(EvalContext& ctx) const {
  reference::elu(ctx.input(0), ctx.output(0), alpha);
  return {};
}

Expected<void> PReLU::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_ASSIGN(const ElementType type, element_type_of_data(ctx, {1}));
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& slope = ctx.input_shape(1);
  ctx.output(0, type, data);
  if (!data.has_rank() || !slope.has_rank() || is_per_channel(data, slope)) return {};
  // A 1-D slope that could still turn out to be one per channel does not determine the last dimension.
  const bool open = slope.size() == 1 && data.size() >= 2 && slope[0].compatible(data[1]);
  if (!open) MO_TRY(expect_fits_into(ctx, data, slope, "the slope"));
  return {};
}
Expected<void> PReLU::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(Tensor slope, convert(ctx.input(1), data.element_type()));
  if (is_per_channel(PartialShape(data.shape()), PartialShape(slope.shape()))) {
    Shape aligned(data.shape().size() - 1, 1);  // without the batch: [C, 1, 1 …]
    aligned[0] = slope.element_count();
    slope = slope.reshaped(std::move(aligned));
  }
  reference::prelu(data, slope, ctx.output(0));
  return {};
}

Expected<void> Selu::infer(InferContext& ctx) const { return infer_with_parameters(ctx, "alpha", "lambda"); }
Expected<void> Selu::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const double alpha, one_real(ctx, 1));
  MO_ASSIGN(const double lambda, one_real(ctx, 2));
  reference::selu(ctx.input(0), ctx.output(0), alpha, lambda);
  return {};
}

Expected<void> HardSigmoid::infer(InferContext& ctx) const {
  MO_TRY(infer_with_parameters(ctx, "alpha", "beta"));
  MO_TRY(expect_scalar(ctx, 1));
  return expect_scalar(ctx, 2);
}
Expected<void> HardSigmoid::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const double alpha, one_real(ctx, 1));
  MO_ASSIGN(const double beta, one_real(ctx, 2));
  reference::hard_sigmoid(ctx.input(0), ctx.output(0), alpha, beta);
  return {};
}

Expected<void> Swish::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1, 2));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  for (const std::size_t i : {0, 1}) MO_TRY(expect_element_type(ctx, i, kReal.accepts, kReal.description));
  if (ctx.has_input(1)) MO_TRY(expect_scalar(ctx, 1));
  ctx.output(0, type, ctx.input_shape(0));
  return {};
}
Expected<void> Swish::evaluate(EvalContext& ctx) const {
  double beta = 1.0;
  if (ctx.has_input(1)) { MO_ASSIGN(beta, one_real(ctx, 1)); }
  reference::swish(ctx.input(0), ctx.output(0), beta);
  return {};
}

Expected<void> v0::Gelu::infer(InferContext& ctx) const { return infer_activation(ctx); }
Expected<void> v0::Gelu::evaluate(EvalContext& ctx) const {
  reference::gelu(ctx.input(0), ctx.output(0), false);
  return {};
}

Expected<void> v7::Gelu::infer(InferContext& ctx) const { return infer_activation(ctx); }
Expected<void> v7::Gelu::evaluate(EvalContext& ctx) const {
  reference::gelu(ctx.input(0), ctx.output(0), approximation_mode == GeluMode::tanh);
  return {};
}

LayoutNeed PReLU::layout_need(const InferContext& ctx) const {
  // A 1-D slope that may lie along dimension 1 of the data as the model has it.
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& slope = ctx.input_shape(1);
  if (!data.has_rank() || !slope.has_rank()) return LayoutNeed::original;
  const bool per_channel =
      slope.size() == 1 && slope[0] != Dimension(1) && data.size() >= 2 && slope[0].compatible(data[1]);
  return per_channel ? LayoutNeed::original : LayoutNeed::either;
}

void register_activations(OpRegistry& registry) {
  registry.add<Elu>();
  registry.add<PReLU>();
  registry.add<Selu>();
  registry.add<HardSigmoid>();
  registry.add<Swish>();
  registry.add<v0::Gelu>();
  registry.add<v7::Gelu>();
}

}  // namespace mo::ops
