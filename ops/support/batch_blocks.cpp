#include "ops/support/batch_blocks.hpp"

#include <limits>

namespace mo::ops {
namespace {

constexpr std::int64_t kLargestMargin = std::int64_t{1} << 60;

Expected<void> check(const InferContext& ctx, const BatchBlocks& lists) {
  for (std::size_t i = 0; i < lists.data.size(); ++i) {
    const auto inside = [](const Dimension& d, std::int64_t least, std::int64_t most) {
      return !d.is_known() || (d.value() >= least && d.value() <= most);
    };
    if (!inside(lists.blocks[i], 1, i == 0 ? 1 : kLargestMargin) ||
        !inside(lists.begins[i], 0, i == 0 ? 0 : kLargestMargin) ||
        !inside(lists.ends[i], 0, i == 0 ? 0 : kLargestMargin))
      return ctx
          .error("MO-OPS-0216", "block {} with margins {} and {} does not fit dimension {} of {}",
                 lists.blocks[i].to_string(), lists.begins[i].to_string(), lists.ends[i].to_string(), i,
                 lists.data.to_string())
          .hint("blocks are at least 1, margins at least 0; for the batch they are 1 and 0");
  }
  return {};
}

}  // namespace

Expected<std::optional<BatchBlocks>> read_batch_blocks(const InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(expect_integers(ctx, {1, 2, 3}));
  MO_TRY(common_element_type(ctx, {1, 2, 3}));
  MO_TRY(ctx.expect_rank(0, 1, std::numeric_limits<std::int64_t>::max()));
  BatchBlocks lists{ctx.input_shape(0), {}, {}, {}};
  std::vector<Dimension>* const parts[] = {&lists.blocks, &lists.begins, &lists.ends};
  for (std::size_t i = 1; i <= 3; ++i) {
    MO_TRY(ctx.expect_rank(i, 1, 1));
    const auto length = list_length(ctx, i);
    const auto elements = list_elements(ctx, i);
    if (elements && !lists.data.has_rank()) lists.data = PartialShape::of_rank(elements->size());
    if (length && lists.data.has_rank() && *length != lists.data.size())
      return ctx.error("MO-OPS-0209", "input {} has {} elements for a shape {}", i, *length, lists.data.to_string())
          .hint("there is one for each dimension");
  }
  if (!lists.data.has_rank() || lists.data.size() == 0) return std::optional<BatchBlocks>();
  for (std::size_t i = 1; i <= 3; ++i)
    *parts[i - 1] = list_elements(ctx, i).value_or(std::vector<Dimension>(lists.data.size()));
  MO_TRY(check(ctx, lists));
  return std::optional(std::move(lists));
}

LayoutNeed batch_blocks_layout_need(const InferContext& ctx) {
  const auto blocks = list_elements(ctx, 1);
  return blocks && !blocks->empty() && blocks->back() == Dimension(1) ? LayoutNeed::either : LayoutNeed::original;
}

}  // namespace mo::ops
