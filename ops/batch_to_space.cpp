#include "ops/batch_to_space.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/blocks.hpp"
#include "ops/reference/slice.hpp"
#include "ops/support/batch_blocks.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/space_blocks.hpp"

namespace mo::ops {

Expected<void> BatchToSpace::infer(InferContext& ctx) const {
  MO_ASSIGN(const std::optional<BatchBlocks> lists, read_batch_blocks(ctx));
  PartialShape shape;
  if (lists) {
    shape = lists->data;
    for (std::size_t d = 1; d < shape.size(); ++d) {
      if (!lists->blocks[d].is_known()) {
        shape[0] = Dimension(0, shape[0].max());
      } else {
        MO_ASSIGN(shape[0], divide_dimension(ctx, shape[0], lists->blocks[d].value()));
      }
      const Dimension wide = shape[d] * lists->blocks[d];
      const Dimension crops = lists->begins[d] + lists->ends[d];
      if (crops.min() > wide.max())
        return ctx
            .error("MO-OPS-0216", "crops of {} together are more than dimension {} of size {}", crops.to_string(), d,
                   wide.to_string())
            .hint("check the crops and --input_shape");
      shape[d] = wide - crops;
    }
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> BatchToSpace::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  if (ctx.output(0).element_count() == 0) return {};
  MO_ASSIGN(const std::vector<std::int64_t> blocks, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> begins, ctx.integers(2));
  Shape wide = data.shape();
  for (std::size_t d = 1; d < wide.size(); ++d) {
    wide[0] /= blocks[d];
    wide[d] *= blocks[d];
  }
  if (wide == ctx.output(0).shape()) {
    reference::batch_to_space(data, blocks, ctx.output(0));
    return {};
  }
  MO_ASSIGN(Tensor uncropped, Tensor::allocate(data.element_type(), wide));
  reference::batch_to_space(data, blocks, uncropped);
  reference::slice(uncropped, begins, std::vector<std::int64_t>(wide.size(), 1), ctx.output(0).shape(), ctx.output(0));
  return {};
}

LayoutNeed BatchToSpace::layout_need(const InferContext& ctx) const { return batch_blocks_layout_need(ctx); }

void register_batch_to_space(OpRegistry& registry) { registry.add<BatchToSpace>(); }

}  // namespace mo::ops
