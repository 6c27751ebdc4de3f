#include "ops/non_zero.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/non_zero.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> NonZero::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_index_type(ctx, "output_type", output_type));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType type) { return type != ElementType::string; }, "a number type or boolean"));
  Dimension count = 1;
  Dimension rank;
  if (const PartialShape& shape = ctx.input_shape(0); shape.has_rank()) {
    rank = *shape.rank();
    for (const Dimension& d : shape) count = count * d;
  } else {
    count = Dimension();
  }
  ctx.output(0, output_type, {rank, Dimension(0, count.max())});
  return {};
}

Expected<void> NonZero::evaluate(EvalContext& ctx) const {
  Tensor data = ctx.input(0);
  if (is_small_real(data.element_type())) {
    MO_ASSIGN(data, convert(data, ElementType::f32));
  } else if (bit_width(data.element_type()) < 8) {
    MO_ASSIGN(data, convert(data, ElementType::i8));
  }
  MO_ASSIGN(Tensor places, reference::non_zero(data, output_type));
  ctx.set_output(0, std::move(places));
  return {};
}

void register_non_zero(OpRegistry& registry) { registry.add<NonZero>(); }

}  // namespace mo::ops
