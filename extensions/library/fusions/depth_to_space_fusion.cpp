#include "extensions/library/support/fusing.hpp"
#include "extensions/middle/support/rearrangement.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"

namespace mo::library::fusions {
namespace {

using middle::Rearrangement;

/// The block of a DepthToSpace of images that splits the channels into [block, block, C] (blocks_first) or [C, block, block]; nothing for others.
std::optional<std::int64_t> block_of(const Rearrangement& r, ops::DepthMode mode) {
  const bool blocks_first = mode == ops::DepthMode::blocks_first;
  if (r.in.size() != 4 || r.parts.size() != 6 || r.out.size() != 4) return std::nullopt;
  const std::int64_t block = r.parts[blocks_first ? 1 : 2];
  const std::int64_t channels = r.parts[blocks_first ? 3 : 1];
  const std::vector<std::int64_t> parts = blocks_first ? std::vector<std::int64_t>{r.in[0], block, block, channels, r.in[2], r.in[3]}
                                                       : std::vector<std::int64_t>{r.in[0], channels, block, block, r.in[2], r.in[3]};
  const std::vector<std::size_t> order = blocks_first ? std::vector<std::size_t>{0, 3, 4, 1, 5, 2} : std::vector<std::size_t>{0, 1, 4, 2, 5, 3};
  const std::vector<std::int64_t> out = {r.in[0], channels, r.in[2] * block, r.in[3] * block};
  return r.parts == parts && r.order == order && r.out == out ? std::optional(block) : std::nullopt;
}

}  // namespace

void register_depth_to_space_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat root = op<ops::Reshape>(op<ops::Transpose>(op<ops::Reshape>(any(), constant()), constant()), constant());
  library.add(
      rewrite("DepthToSpaceFusion")
          .described("Reshape(Transpose(Reshape(x)))", "DepthToSpace(x)",
                     "rank 4, only the batch is unknown, or the first Reshape tells it; blocks in front of the channels or behind them; nobody "
                     "reads what lies between")
          .match(root)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto found = middle::rearrangement_before(m.root().node(), middle::UnknownBatch::may_be_told);
            if (!found) return declined("a shape besides the batch is unknown, or something else reads what lies between");
            for (const ops::DepthMode mode : {ops::DepthMode::depth_first, ops::DepthMode::blocks_first})
              if (const auto block = block_of(*found, mode)) return rw.create(ops::DepthToSpace{.mode = mode, .block_size = *block}, found->x);
            return declined("the blocks of channels do not move into the space");
          }));
}

}  // namespace mo::library::fusions
