#include "ops/space_to_batch.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/blocks.hpp"
#include "ops/reference/slice.hpp"
#include "ops/support/batch_blocks.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/space_blocks.hpp"

namespace mo::ops {

Expected<void> SpaceToBatch::infer(InferContext& ctx) const {
  MO_ASSIGN(const std::optional<BatchBlocks> lists, read_batch_blocks(ctx));
  PartialShape shape;
  if (lists) {
    shape = lists->data;
    for (std::size_t d = 1; d < shape.size(); ++d) {
      shape[0] = shape[0] * lists->blocks[d];
      const Dimension padded = shape[d] + lists->begins[d] + lists->ends[d];
      if (!lists->blocks[d].is_known()) {
        shape[d] = Dimension(0, padded.max());
      } else {
        MO_ASSIGN(shape[d], divide_dimension(ctx, padded, lists->blocks[d].value()));
      }
    }
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> SpaceToBatch::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  if (ctx.output(0).element_count() == 0) return {};
  MO_ASSIGN(const std::vector<std::int64_t> blocks, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> begins, ctx.integers(2));
  MO_ASSIGN(const std::vector<std::int64_t> ends, ctx.integers(3));
  Shape padded_shape = data.shape();
  for (std::size_t d = 0; d < padded_shape.size(); ++d) padded_shape[d] += begins[d] + ends[d];
  if (padded_shape == data.shape()) {
    reference::space_to_batch(data, blocks, ctx.output(0));
    return {};
  }
  MO_ASSIGN(Tensor padded, Tensor::allocate(data.element_type(), padded_shape));
  reference::slice_assign(data, begins, std::vector<std::int64_t>(begins.size(), 1), data.shape(), padded);
  reference::space_to_batch(padded, blocks, ctx.output(0));
  return {};
}

LayoutNeed SpaceToBatch::layout_need(const InferContext& ctx) const { return batch_blocks_layout_need(ctx); }

void register_space_to_batch(OpRegistry& registry) { registry.add<SpaceToBatch>(); }

}  // namespace mo::ops
