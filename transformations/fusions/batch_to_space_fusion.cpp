#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/pattern.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/fusions/support/swapping.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

struct Crops {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
};

/// What a StridedSlice of rank 4 with constant bounds and steps of 1 cuts off at both ends of each dimension.
std::optional<Crops> crops_of(const Node& slice) {
  const auto& op = *slice.as<ops::StridedSlice>();
  const auto is_set = [](const std::vector<std::int64_t>& mask) {
    return std::any_of(mask.begin(), mask.end(), [](std::int64_t n) { return n != 0; });
  };
  if (is_set(op.new_axis_mask) || is_set(op.shrink_axis_mask) || is_set(op.ellipsis_mask)) return std::nullopt;
  const PartialShape& shape = slice.input_type(0).shape;
  auto begin = constant_integers_of(slice.input(1));
  auto end = constant_integers_of(slice.input(2));
  const auto steps =
      slice.in_port_count() > 3 ? constant_integers_of(slice.input(3)) : std::vector<std::int64_t>{1, 1, 1, 1};
  if (!begin || !end || begin->size() != 4 || end->size() != 4 || shape.rank() != 4 ||
      steps != std::vector<std::int64_t>{1, 1, 1, 1})
    return std::nullopt;
  for (std::size_t i = 0; i < 4; ++i) {
    const bool from_start = i < op.begin_mask.size() && op.begin_mask[i] != 0;
    const bool to_end = i < op.end_mask.size() && op.end_mask[i] != 0;
    std::int64_t& first = (*begin)[i];
    std::int64_t& last = (*end)[i];
    const bool is_known = shape[i].is_known();
    if (from_start) first = 0;
    if (to_end) {
      last = 0;
    } else {
      // Counted from the end, as crops are.
      if (last >= 0 && !is_known) return std::nullopt;
      last = last < 0 ? -last : std::max<std::int64_t>(shape[i].value() - last, 0);
    }
    if (first < 0) {
      if (!is_known) return std::nullopt;
      first = std::max<std::int64_t>(first + shape[i].value(), 0);
    }
    if (is_known && first + last > shape[i].value()) return std::nullopt;
  }
  return Crops{*std::move(begin), *std::move(end)};
}

}  // namespace

void register_batch_to_space_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat wide = op<ops::DepthToSpace>(swapped(x).one_use()).one_use();
  const Pat slice = any_of(op<ops::StridedSlice>(wide, constant(), constant(), constant()),
                           op<ops::StridedSlice>(wide, constant(), constant()))
                        .one_use();
  passes.offer(
      rewrite("BatchToSpaceFusion")
          .described("swap(StridedSlice(DepthToSpace(swap(x)))), where swap exchanges dimensions 0 and 1",
                     "BatchToSpace(x)",
                     "rank 4; bounds by constants, steps of 1, nothing cut off the batch; blocks first; a swap "
                     "is a Transpose, or a Reshape where a "
                     "dimension is 1")
          .match(swapped(slice))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto& op = *m.node(wide).as<ops::DepthToSpace>();
            if (op.mode != ops::DepthMode::blocks_first || op.layout != DataLayout::channels_first)
              return declined("the blocks are not first");
            auto crops = crops_of(m.node(slice));
            if (!crops) return declined("what is cut off is unknown");
            std::swap(crops->begin[0], crops->begin[1]);
            std::swap(crops->end[0], crops->end[1]);
            if (crops->begin[0] != 0 || crops->end[0] != 0) return declined("BatchToSpace cannot crop the batch");
            return rw.create(ops::BatchToSpace{}, m[x], rw.integers({1, 1, op.block_size, op.block_size}),
                             rw.integers(crops->begin), rw.integers(crops->end));
          }));
}

}  // namespace mo::transformations
