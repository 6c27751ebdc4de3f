#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/build/columns_to_image.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/tensors.hpp"
#include "ops/col2im.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kLargestBlock = 1024;  ///< the filter has the square of it

Replacement with_convolution(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Col2Im>();
  const auto block = integers_of(node.input(2));
  if (!block || block->size() != 2) return declined("the block is unknown");
  if ((*block)[0] > kLargestBlock || (*block)[0] * (*block)[1] > kLargestBlock)
    return declined("a block has more than 1024 elements");
  const build::ColumnBlocks blocks{.shape = *block,
                                   .strides = op.strides,
                                   .dilations = op.dilations,
                                   .pads_begin = op.pads_begin,
                                   .pads_end = op.pads_end,
                                   .elements = (*block)[0] * (*block)[1]};
  const Value image = build::as_i64(rw, node.input(1));
  if (node.input_type(0).rank() != 2) return build::columns_to_image(rw, node.input(0), image, blocks);
  const Value one_image = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({0}));
  return rw.create(ops::Squeeze{}, build::columns_to_image(rw, one_image, image, blocks), rw.integers({0}));
}

}  // namespace

/// Col2Im -> a transposed convolution, for targets that do not read op set 15.
void register_col2im_decomposition(PassRegistry& passes) {
  const Pat root = pattern::op<ops::Col2Im>();
  passes.add(
      rewrite("Col2ImDecomposition")
          .run_before({"CommonSubexpressions"})
          .when([](const Graph&, const PassContext& context) { return context.settings.newest_op_set() < 15; })
          .match(root)
          .replace([](const Match& m, Rewriter& rw) -> Replacement { return with_convolution(m.root().node(), rw); }));
}

}  // namespace mo::transformations
