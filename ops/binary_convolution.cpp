#include "ops/binary_convolution.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/binary_convolution.hpp"
#include "ops/support/convolution.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> BinaryConvolution::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  MO_TRY(expect_element_type(
      ctx, 1, [](ElementType type) { return type == ElementType::u1; }, "u1"));
  MO_ASSIGN(PartialShape shape,
            convolution_shape(ctx, ctx.input_shape(0), ctx.input_shape(1), {}, 1, window_of(*this)));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> BinaryConvolution::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  const Tensor& filters = ctx.input(1);
  Tensor& out = ctx.output(0);
  return reference::binary_convolution(
      data, filters, out, convolution_geometry(data.shape(), filters.shape(), out.shape(), {}, 1, window_of(*this)),
      pad_value > 0);
}

void register_binary_convolution(OpRegistry& registry) { registry.add<BinaryConvolution>(); }

}  // namespace mo::ops
