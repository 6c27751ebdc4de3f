#include "core/graph/builtin_ops.hpp"

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

}  // namespace mo
