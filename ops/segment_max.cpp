#include "ops/segment_max.hpp"

#include <algorithm>
#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/segment_max.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

/// One more than the last segment. Error MO-OPS-0477.
template <class Context>
Expected<std::int64_t> segments_of(const Context& ctx, const std::vector<std::int64_t>& ids) {
  const auto later = std::is_sorted_until(ids.begin(), ids.end());
  if (later != ids.end())
    return ctx.error("MO-OPS-0477", "segment {} follows segment {}", *later, *(later - 1)).hint("sort the segments");
  if (ids.empty()) return 0;
  if (ids.front() < 0 || ids.back() == std::numeric_limits<std::int64_t>::max())
    return ctx.error("MO-OPS-0477", "segments range from {} to {}", ids.front(), ids.back())
        .hint("the first segment is 0");
  return ids.back() + 1;
}

}  // namespace

Expected<void> SegmentMax::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(expect_indices(ctx, {1, 2}));
  MO_TRY(ctx.expect_rank(0, 1, std::numeric_limits<std::int64_t>::max()));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  Dimension segments;
  if (const auto ids = ctx.integers(1)) { MO_ASSIGN(segments, segments_of(ctx, *ids)); }
  if (ctx.has_input(2)) { MO_ASSIGN(segments, described_size(ctx, 2)); }
  PartialShape shape = ctx.input_shape(0);
  const PartialShape& ids = ctx.input_shape(1);
  if (shape.has_rank()) {
    if (ids.has_rank()) MO_TRY(merge_dimensions(ctx, shape[0], ids[0], "the number of rows and of segment indices"));
    shape[0] = segments;
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> SegmentMax::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> ids, ctx.integers(1));
  MO_ASSIGN(std::int64_t segments, segments_of(ctx, ids));
  if (ctx.has_input(2)) { MO_ASSIGN(segments, only_integer(ctx, 2)); }
  Shape shape = data.shape();
  shape[0] = segments;
  MO_ASSIGN(Tensor largest, Tensor::allocate(data.element_type(), shape));
  reference::segment_max(data, ids, fill_mode == SegmentFill::lowest, largest);
  ctx.set_output(0, std::move(largest));
  return {};
}

void register_segment_max(OpRegistry& registry) { registry.add<SegmentMax>(); }

}  // namespace mo::ops
