#include "ops/concat.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/concat.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

Expected<ElementType> common_type(const InferContext& ctx) {
  std::size_t typed = 0;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) {
    if (ctx.input_element_type(typed) == ElementType::dynamic) typed = i;
    MO_TRY(common_element_type(ctx, {typed, i}));
  }
  return ctx.input_element_type(typed);
}

}  // namespace

Expected<void> Concat::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(std::max<std::size_t>(ctx.input_count(), 1)));
  MO_ASSIGN(const ElementType type, common_type(ctx));
  PartialShape result;
  Dimension sum = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) {
    PartialShape shape = ctx.input_shape(i);
    if (!shape.has_rank()) {
      sum = sum + Dimension();
      continue;
    }
    MO_ASSIGN(const std::int64_t axis_here, normalize_axis(ctx, axis, *shape.rank()));
    place = static_cast<std::size_t>(axis_here);
    sum = sum + shape[place];
    shape[place] = Dimension();
    MO_ASSIGN(result, merge_shapes(ctx, result, shape, "the dimensions beside the axis"));
  }
  if (result.has_rank()) result[place] = sum;
  ctx.output(0, type, std::move(result));
  return {};
}

Expected<void> Concat::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  std::vector<const Tensor*> parts;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) parts.push_back(&ctx.input(i));
  reference::concat(parts, *mo::normalize_axis(axis, ctx.input(0).rank()), ctx.output(0));
  return {};
}

void register_concat(OpRegistry& registry) { registry.add<Concat>(); }

}  // namespace mo::ops
