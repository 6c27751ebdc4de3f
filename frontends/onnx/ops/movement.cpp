#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/scatter.hpp"
#include "ops/space_to_depth.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"

namespace mo::onnx {
namespace {

Expected<Op> extract_blocks(const FrameworkNode& node, Op op, std::string_view mode) {
  const auto size = node.required<std::int64_t>("blocksize");
  if (size < 1 && !node.failure())
    return node.error("MO-ONNX-0207", "blocksize is {}", size).hint("blocksize is at least 1");
  MO_TRY(op.set_attribute("block_size", size));
  MO_TRY(op.set_attribute("mode", mode));
  return op;
}

/// `mode` is the order of blocks and channels: DCR (depth, column, row) or CRD.
Expected<Op> blocks_in_order(const FrameworkNode& node, Op op) {
  const std::string mode = node.attr("mode", "DCR");
  if (mode == "DCR") return extract_blocks(node, std::move(op), "blocks_first");
  if (mode == "CRD") return extract_blocks(node, std::move(op), "depth_first");
  return node.error("MO-ONNX-0208", "mode is \"{}\"", mode).hint("mode is DCR (blocks outside of the channels) or CRD");
}

/// Without an order the dimensions are reversed, which is what an empty order means in the IR.
Replacement transpose(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::Transpose{}, node.input(0), rw.integers(node.attr("perm", std::vector<std::int64_t>{})));
}

/// Tile-1: x, `count` copies along `axis`, axis -> Tile with ones for all other axes.
Replacement tile_along_axis(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  const Value all_once = repeat(rw, rw.scalar<std::int64_t>(1), rank_length(rw, x));
  const Value repeats = rw.create(ops::v3::ScatterElementsUpdate{}, all_once, as_length(rw, as_i64(rw, node.input(2))),
                                  as_length(rw, as_i64(rw, node.input(1))), rw.scalar<std::int64_t>(0));
  return rw.create(ops::Tile{}, x, repeats);
}

}  // namespace

/// Ops that move elements without looking at them.
void register_movement(OperatorTable& table) {
  table.translate("Transpose", since(1), transpose);
  // ONNX Concat-1: along dimension 1 when nothing is said.
  table.extract("Concat", versions(1, 3), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::Concat{.axis = node.attr<std::int64_t>("axis", 1)};
  });
  table.extract("Concat", since(4), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::Concat{.axis = node.required<std::int64_t>("axis")};
  });
  table.extract("Expand", since(8), [](const FrameworkNode&) -> Expected<Op> {
    return ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional};
  });

  table.translate("Tile", versions(1, 5), tile_along_axis);
  table.extract("Tile", since(6), [](const FrameworkNode&) -> Expected<Op> { return ops::Tile{}; });

  table.extract("DepthToSpace", versions(1, 10), [](const FrameworkNode& node) -> Expected<Op> {
    if (node.has("mode"))
      return node.error("MO-ONNX-0208", "there is an attribute mode")
          .hint("DepthToSpace has it from opset 11 on; declare that opset in the model");
    return extract_blocks(node, ops::DepthToSpace{}, "blocks_first");
  });
  table.extract("DepthToSpace", since(11),
                [](const FrameworkNode& node) -> Expected<Op> { return blocks_in_order(node, ops::DepthToSpace{}); });
  table.extract("SpaceToDepth", versions(1, 27),
                [](const FrameworkNode& node) { return extract_blocks(node, ops::SpaceToDepth{}, "blocks_first"); });
  table.extract("SpaceToDepth", since(28),
                [](const FrameworkNode& node) { return blocks_in_order(node, ops::SpaceToDepth{}); });
  table.extract("ReverseSequence", since(10), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::ReverseSequence{.batch_axis = node.attr<std::int64_t>("batch_axis", 1),
                                .seq_axis = node.attr<std::int64_t>("time_axis", 0)};
  });
}

}  // namespace mo::onnx
