#include "core/graph/builtin_ops.hpp"

#include "core/tensor/convert.hpp"

namespace mo {

Expected<void> Parameter::infer(InferContext& ctx) const {
  ctx.output(0, element_type, shape);
  return {};
}

Expected<void> Result::infer(InferContext& ctx) const { return ctx.expect_inputs(1); }

Expected<void> Const::infer(InferContext& ctx) const {
  MO_ASSERT(!value.empty(), "a Const without a value");
  ctx.output_value(0, value);
  return {};
}

Expected<void> Const::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(Tensor loaded, value.load());
  ctx.set_output(0, std::move(loaded));
  return {};
}

Expected<void> ScalarLike::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  const ElementType type = ctx.input_element_type(0);
  ctx.output(0, type, PartialShape(Shape{}));
  if (type == ElementType::dynamic) return {};
  MO_ASSIGN(Tensor scalar, from_reals(type, {}, {value}));
  ctx.output_value(0, std::move(scalar));
  return {};
}

Expected<void> ScalarLike::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(Tensor scalar, from_reals(ctx.input(0).element_type(), {}, {value}));
  ctx.set_output(0, std::move(scalar));
  return {};
}

}  // namespace mo
