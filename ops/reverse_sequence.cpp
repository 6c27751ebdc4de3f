#include "ops/reverse_sequence.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/reverse.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> ReverseSequence::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 1, is_number, "a number type"));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  TensorType data = ctx.input(0);
  if (data.shape.has_rank()) {
    MO_ASSIGN(const auto axes, normalize_axes(ctx, {batch_axis, seq_axis}, *data.rank()));
    if (ctx.input_shape(1).has_rank()) {
      Dimension& batch = data.shape[static_cast<std::size_t>(axes[0])];
      MO_ASSIGN(batch,
                merge_dimensions(ctx, batch, ctx.input_shape(1)[0], "the batch dimension and the number of lengths"));
    }
  }
  ctx.output(0, std::move(data));
  return {};
}

Expected<void> ReverseSequence::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  const std::int64_t along = *mo::normalize_axis(seq_axis, data.rank());
  const std::int64_t size = data.shape()[static_cast<std::size_t>(along)];
  MO_ASSIGN(const std::vector<std::int64_t> lengths, ctx.integers(1));
  for (const std::int64_t length : lengths)
    if (length < 0 || length > size)
      return ctx.error("MO-OPS-0217", "a sequence length of {} is outside [0, {}]", length, size)
          .hint("correct the lengths that the model computes or contains");
  reference::reverse_sequences(data, lengths, *mo::normalize_axis(batch_axis, data.rank()), along, ctx.output(0));
  return {};
}

void register_reverse_sequence(OpRegistry& registry) { registry.add<ReverseSequence>(); }

}  // namespace mo::ops
