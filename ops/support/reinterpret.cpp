#include "ops/support/reinterpret.hpp"

namespace mo::ops {

Expected<void> share_input(EvalContext& ctx) {
  const Tensor& data = ctx.input(0);
  auto shape = ctx.output_type(0).shape.to_shape();
  if (!shape || element_count(*shape) != data.element_count())
    return ctx
        .error("MO-OPS-0201", "{} elements do not have shape {}", data.element_count(),
               ctx.output_type(0).shape.to_string())
        .hint("the shape must be complete and keep the number of elements");
  ctx.set_output(0, data.reshaped(*std::move(shape)));
  return {};
}

}  // namespace mo::ops
