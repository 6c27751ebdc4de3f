#include <fmt/format.h>

#include <algorithm>

#include "core/op/data_layout.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/extract_image_patches.hpp"
#include "ops/gather.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/space_to_depth.hpp"

namespace mo::tensorflow {
namespace {

Expected<std::int64_t> block_size(const FrameworkNode& node) {
  const auto size = node.required<std::int64_t>("block_size");
  if (node.failure()) return *node.failure();
  if (size < 1 || size > INT32_MAX)
    return node.error("MO-TF-0553", "block_size is {}", size).hint("a block has at least one element");
  return size;
}

/// Numbers for the dimensions after the batch as numbers for all dimensions of `x`: `neutral` for the batch and for
/// what is left.
Value for_all_dimensions(Rewriter& rw, const Value& x, const Value& numbers, std::int64_t neutral) {
  const Value used = rw.create(ops::Add{}, as_length(rw, list_length(rw, numbers)), rw.integers({1}));
  const Value rest = repeat(rw, rw.scalar(neutral), rw.create(ops::Subtract{}, rank_length(rw, x), used));
  return join(rw, {rw.integers({neutral}), as_i64(rw, numbers), rest});
}

/// Column `i` of margins [blocks, 2].
Value block_margin(Rewriter& rw, const Value& margins, std::int64_t i) {
  return rw.create(ops::Gather{}, margins, rw.scalar(i), rw.scalar<std::int64_t>(1));
}

/// SpaceToBatchND, BatchToSpaceND: x, sizes of the blocks, and paddings or crops [blocks, 2].
template <class T>
Replacement move_blocks(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  const auto blocks = integers_of(node.input(1));
  if (blocks && std::any_of(blocks->begin(), blocks->end(), [](std::int64_t b) { return b < 1; }))
    return node.error("MO-TF-0556", "block_shape has a number below 1").hint("a block has at least one element");
  const auto margins = node.input_type(2).shape.element_count();
  if (blocks && margins && *margins != 2 * static_cast<std::int64_t>(blocks->size()))
    return node.error("MO-TF-0556", "there are {} blocks and {} margins", blocks->size(), *margins)
        .hint("each block has two of them");
  return rw.create(T{}, x, for_all_dimensions(rw, x, node.input(1), 1),
                   for_all_dimensions(rw, x, block_margin(rw, node.input(2), 0), 0),
                   for_all_dimensions(rw, x, block_margin(rw, node.input(2), 1), 0));
}

/// The older ops have images [N, H, W, C] only, and blocks that are as high as wide: x and paddings or crops [2, 2].
template <class T>
Replacement move_image_blocks(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const std::int64_t size, block_size(node));
  const Value zero = rw.integers({0});
  const auto column = [&](std::int64_t i) {
    return join(rw, {zero, as_i64(rw, block_margin(rw, node.input(1), i)), zero});
  };
  return rw.create(T{}, node.input(0), rw.integers({1, size, size, 1}), column(0), column(1));
}

Expected<DataLayout> image_layout(const FrameworkNode& node) {
  const std::string format = node.attr("data_format", "NHWC");
  if (format == "NHWC") return DataLayout::channels_last;
  if (format == "NCHW") return DataLayout::channels_first;
  return node.error("MO-TF-0553", "data_format is \"{}\"", format).hint("data_format is NHWC or NCHW");
}

/// Blocks of the channels, block row first, then block column, then depth: the
/// mode blocks_first, in either data format.
template <class T>
Expected<Op> extract_depth(const FrameworkNode& node) {
  MO_TRY(expect_real(node));
  MO_ASSIGN(const std::int64_t size, block_size(node));
  MO_ASSIGN(const DataLayout layout, image_layout(node));
  return T{.mode = ops::DepthMode::blocks_first, .block_size = size, .layout = layout};
}

/// Height and width of a list [1, height, width, 1].
Expected<std::vector<std::int64_t>> height_and_width(const FrameworkNode& node, std::string_view name) {
  const auto list = node.required<std::vector<std::int64_t>>(name);
  if (node.failure()) return *node.failure();
  if (list.size() != 4 || list[0] != 1 || list[3] != 1 || list[1] < 1 || list[2] < 1)
    return node.error("MO-TF-0553", "{} is [{}]", name, fmt::join(list, ", "))
        .hint("it is [1, height, width, 1] with positive values");
  return std::vector<std::int64_t>{list[1], list[2]};
}

Expected<Op> extract_patches(const FrameworkNode& node) {
  MO_TRY(expect_real(node));
  ops::ExtractImagePatches op{.layout = DataLayout::channels_last};
  MO_ASSIGN(op.sizes, height_and_width(node, "ksizes"));
  MO_ASSIGN(op.strides, height_and_width(node, "strides"));
  MO_ASSIGN(op.rates, height_and_width(node, "rates"));
  const auto padding = node.required<std::string>("padding");
  if (padding != "SAME" && padding != "VALID" && !node.failure())
    return node.error("MO-TF-0553", "padding is \"{}\"", padding).hint("padding is SAME or VALID");
  op.auto_pad = padding == "SAME" ? ops::PatchPadding::same_upper : ops::PatchPadding::valid;
  return op;
}

}  // namespace

/// Spatial blocks moved into the batch or into the channels, and patches of
/// images.
void register_space_batch(OperatorTable& table) {
  table.translate("SpaceToBatchND", move_blocks<ops::SpaceToBatch>);
  table.translate("BatchToSpaceND", move_blocks<ops::BatchToSpace>);
  table.translate("SpaceToBatch", move_image_blocks<ops::SpaceToBatch>);
  table.translate("BatchToSpace", move_image_blocks<ops::BatchToSpace>);
  table.extract("SpaceToDepth", extract_depth<ops::SpaceToDepth>);
  table.extract("DepthToSpace", extract_depth<ops::DepthToSpace>);
  table.extract("ExtractImagePatches", extract_patches);
}

}  // namespace mo::tensorflow
