#include "ops/read_value.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {

Expected<void> v3::ReadValue::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> v3::ReadValue::evaluate(EvalContext& ctx) const {
  ctx.set_output(0, ctx.input(0));
  return {};
}

Expected<void> v6::ReadValue::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(0, 1));
  TensorType type = ctx.input(0);
  if (!ctx.has_input(0) && (!variable_type || !variable_shape))
    return ctx.error("MO-OPS-0224", "variable '{}' has neither an initial value nor a type and shape", variable_id)
        .hint("give variable_type and variable_shape, or an input");
  if (variable_type && *variable_type != ElementType::dynamic) {
    if (type.element_type != ElementType::dynamic && type.element_type != *variable_type)
      return ctx
          .error("MO-OPS-0221", "variable '{}' is {}, its initial value {}", variable_id, to_string(*variable_type),
                 to_string(type.element_type))
          .hint("the initial value must have the type of the variable");
    type.element_type = *variable_type;
  }
  if (variable_shape) {
    if (!variable_shape->compatible(type.shape))
      return ctx
          .error("MO-OPS-0221", "variable '{}' has shape {}, its initial value {}", variable_id,
                 variable_shape->to_string(), type.shape.to_string())
          .hint("the initial value must fit the shape of the variable");
    type.shape = *variable_shape;
  }
  ctx.output(0, std::move(type));
  return {};
}

Expected<void> v6::ReadValue::evaluate(EvalContext& ctx) const {
  if (ctx.has_input(0)) {
    ctx.set_output(0, ctx.input(0));
    return {};
  }
  // Without an initial value a variable begins as zeros, in the smallest shape that it can have.
  const TensorType& type = ctx.output_type(0);
  Shape shape;
  if (!type.shape.has_rank() || bit_width(type.element_type) == 0)
    return ctx.error("MO-OPS-0224", "variable '{}' of type {} has no initial value", variable_id, type.to_string())
        .hint("give an input");
  for (const Dimension& d : type.shape) shape.push_back(d.min());
  MO_ASSIGN(Tensor zeros, Tensor::allocate(type.element_type, shape));
  ctx.set_output(0, std::move(zeros));
  return {};
}

void register_read_value(OpRegistry& registry) {
  registry.add<v3::ReadValue>();
  registry.add<v6::ReadValue>();
}

}  // namespace mo::ops
