#include "ops/reverse.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/reverse.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> Reverse::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  const bool masked = mode == ReverseMode::mask;
  MO_TRY(expect_element_type(ctx, 1, masked ? is_boolean : is_whole_number, masked ? "boolean" : "an integer type"));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  const TensorType& data = ctx.input(0);
  if (const auto rank = data.rank()) {
    const PartialShape& list = ctx.input_shape(1);
    if (masked && list.has_rank()) {
      MO_TRY(merge_dimensions(ctx, list[0], *rank, "the length of the mask and the rank of the data"));
    } else if (const auto axes = ctx.integers(1); axes && !masked) {
      MO_TRY(normalize_axes(ctx, *axes, *rank));
    }
  }
  ctx.output(0, data);
  return {};
}

Expected<void> Reverse::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> list, ctx.integers(1));
  std::vector<bool> backwards(data.shape().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (mode == ReverseMode::mask) {
      backwards[i] = list[i] != 0;
    } else {
      MO_ASSIGN(const std::int64_t axis, checked_axis(ctx, list[i], data.rank()));
      backwards[static_cast<std::size_t>(axis)] = true;
    }
  }
  reference::reverse(data, backwards, ctx.output(0));
  return {};
}

LayoutNeed Reverse::layout_need(const InferContext&) const {
  return mode == ReverseMode::index ? LayoutNeed::either : LayoutNeed::original;
}

void register_reverse(OpRegistry& registry) { registry.add<Reverse>(); }

}  // namespace mo::ops
