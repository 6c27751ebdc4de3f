#include "ops/shape_of.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

Expected<void> infer_shape_of(InferContext& ctx, ElementType type) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_index_type(ctx, "output_type", type));
  const PartialShape& shape = ctx.input_shape(0);
  if (!shape.has_rank()) {
    ctx.output(0, type, PartialShape::of_rank(1));
    return {};
  }
  ctx.output(0, type, PartialShape({*shape.rank()}));
  if (*shape.rank() > kMaxPartialElements) return {};
  if (const auto dims = shape.to_shape()) {
    MO_ASSIGN(Tensor value, from_integers(type, {*shape.rank()}, *dims));
    ctx.output_value(0, std::move(value));
  } else {
    ctx.output_partial(0, PartialValue{{*shape.rank()}, shape.dims()});
  }
  return {};
}

Expected<void> evaluate_shape_of(EvalContext& ctx, ElementType type) {
  const Shape& shape = ctx.input(0).shape();
  MO_ASSIGN(Tensor value, from_integers(type, {ctx.input(0).rank()}, shape));
  ctx.set_output(0, std::move(value));
  return {};
}

}  // namespace

Expected<void> v0::ShapeOf::infer(InferContext& ctx) const { return infer_shape_of(ctx, ElementType::i64); }
Expected<void> v0::ShapeOf::evaluate(EvalContext& ctx) const { return evaluate_shape_of(ctx, ElementType::i64); }

Expected<void> v3::ShapeOf::infer(InferContext& ctx) const { return infer_shape_of(ctx, output_type); }
Expected<void> v3::ShapeOf::evaluate(EvalContext& ctx) const { return evaluate_shape_of(ctx, output_type); }

void register_shape_of(OpRegistry& registry) {
  registry.add<v0::ShapeOf>();
  registry.add<v3::ShapeOf>();
}

}  // namespace mo::ops
