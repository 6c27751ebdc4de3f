#include "ops/length_of.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {

Expected<void> LengthOf::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  const PartialShape& shape = ctx.input_shape(0);
  ctx.output(0, ElementType::i64, PartialShape({1}));
  if (!shape.has_rank()) return {};
  const auto place = normalize_axis(axis, *shape.rank());
  if (!place)
    return ctx.error("MO-OPS-0012", "axis {} is outside [{}, {})", axis, -*shape.rank(), *shape.rank())
        .hint("check the axes in the model, and --input_shape");
  const Dimension& length = shape[static_cast<std::size_t>(*place)];
  if (length.is_known())
    ctx.output_value(0, Tensor::vector<std::int64_t>({length.value()}));
  else
    ctx.output_partial(0, PartialValue{{1}, {length}});
  return {};
}

Expected<void> LengthOf::evaluate(EvalContext& ctx) const {
  const Shape& shape = ctx.input(0).shape();
  const auto place = normalize_axis(axis, ctx.input(0).rank());
  MO_ASSERT(place, "inference has checked the axis");
  ctx.set_output(0, Tensor::vector<std::int64_t>({shape[static_cast<std::size_t>(*place)]}));
  return {};
}

void register_length_of(OpRegistry& registry) { registry.add<LengthOf>(); }

}  // namespace mo::ops
