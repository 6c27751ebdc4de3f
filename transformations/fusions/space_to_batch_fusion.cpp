#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/pad.hpp"
#include "ops/pattern.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/space_to_depth.hpp"
#include "transformations/fusions/support/swapping.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_space_to_batch_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat pad = any_op<ops::v1::Pad, ops::v12::Pad>(swapped(x).one_use(), constant(), constant(), any())
                      .attr("pad_mode", std::string("constant"));
  const Pat deep = op<ops::SpaceToDepth>(pad.one_use()).one_use();
  passes.offer(rewrite("SpaceToBatchFusion")
                   .described("swap(SpaceToDepth(Pad(swap(x)))), where swap exchanges dimensions 0 and 1",
                              "SpaceToBatch(x)",
                              "rank 4; pads by constants, of zeros, none of the batch; blocks first; a swap is a "
                              "Transpose, or a Reshape where a dimension is 1")
                   .match(swapped(deep))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node padding = m.node(deep).input(0).node();
                     const auto& op = *m.node(deep).as<ops::SpaceToDepth>();
                     if (op.mode != ops::DepthMode::blocks_first || op.layout != DataLayout::channels_first)
                       return declined("the blocks are not first");
                     auto begin = constant_integers_of(padding.input(1));
                     auto end = constant_integers_of(padding.input(2));
                     if (!none_negative(begin) || !none_negative(end) || begin->size() != 4 || end->size() != 4 ||
                         single_real_of(padding.input(3)) != 0.0)
                       return declined("the pads are not a known number of zeros");
                     std::swap((*begin)[0], (*begin)[1]);
                     std::swap((*end)[0], (*end)[1]);
                     if ((*begin)[0] != 0 || (*end)[0] != 0) return declined("SpaceToBatch cannot pad the batch");
                     return rw.create(ops::SpaceToBatch{}, m[x], rw.integers({1, 1, op.block_size, op.block_size}),
                                      rw.integers(*begin), rw.integers(*end));
                   }));
}

}  // namespace mo::transformations
