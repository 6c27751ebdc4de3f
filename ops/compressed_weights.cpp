#include "ops/compressed_weights.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/elementwise_binary.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

Expected<Tensor> calculated(reference::BinaryKind kind, const Tensor& a, const Tensor& b, const Shape& shape) {
  MO_ASSIGN(Tensor out, Tensor::allocate(a.element_type(), shape));
  reference::elementwise_binary(kind, a, b, out);
  return out;
}

}  // namespace

Expected<void> CompressedWeights::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType type) { return is_integral(type) || is_small_real(type); },
      "an integer type or a real type of at most 8 bits"));
  MO_TRY(expect_element_type(
      ctx, 1, [](ElementType type) { return is_real(type) || type == ElementType::i32; }, "a real type or i32"));
  MO_ASSIGN(PartialShape shape, broadcast_shapes(ctx, ctx.input_shape(0), ctx.input_shape(1)));
  if (ctx.has_input(2)) {
    MO_TRY(common_element_type(ctx, {0, 2}));
    MO_ASSIGN(shape, broadcast_shapes(ctx, shape, ctx.input_shape(2)));
  }
  ctx.output(0, ctx.input(1).element_type, std::move(shape));
  return {};
}

Expected<void> CompressedWeights::evaluate(EvalContext& ctx) const {
  const Tensor& scale = ctx.input(1);
  const auto shape = ctx.output_type(0).shape.to_shape();
  MO_ASSERT(shape, "known inputs give a known shape");
  MO_ASSIGN(Tensor x, convert(ctx.input(0), scale.element_type()));
  if (ctx.has_input(2)) {
    MO_ASSIGN(const Tensor zero_point, convert(ctx.input(2), scale.element_type()));
    MO_ASSIGN(x, calculated(reference::BinaryKind::subtract, x, zero_point, *shape));
  }
  MO_ASSIGN(Tensor out, calculated(reference::BinaryKind::multiply, x, scale, *shape));
  ctx.set_output(0, std::move(out));
  return {};
}

void register_compressed_weights(OpRegistry& registry) { registry.add<CompressedWeights>(); }

}  // namespace mo::ops
