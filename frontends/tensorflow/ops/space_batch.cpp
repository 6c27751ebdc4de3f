#include <fmt/format.h>

#include "core/op/data_layout.hpp"
#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/extract_image_patches.hpp"
#include "ops/space_to_depth.hpp"

namespace mo::tensorflow {
namespace {

Expected<std::int64_t> block_size(const FrameworkNode& node) {
  const auto size = node.required<std::int64_t>("block_size");
  if (node.failure()) return *node.failure();
  if (size < 1 || size > INT32_MAX) return node.error("MO-TF-0553", "block_size is {}", size).hint("a block has at least one element");
  return size;
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
    return node.error("MO-TF-0553", "{} is [{}]", name, fmt::join(list, ", ")).hint("it is [1, height, width, 1] with positive numbers");
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
  table.extract("SpaceToBatchND", [](const FrameworkNode& node) { return real_movement_op(node, "TfSpaceToBatchNd"); });
  table.extract("BatchToSpaceND", [](const FrameworkNode& node) { return real_movement_op(node, "TfBatchToSpaceNd"); });
  // The older ops have images only, and blocks that are as high as wide.
  table.extract("SpaceToBatch", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t size, block_size(node));
    return real_movement_op(node, "TfSpaceToBatch", {{"block_size", size}});
  });
  table.extract("BatchToSpace", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t size, block_size(node));
    return real_movement_op(node, "TfBatchToSpace", {{"block_size", size}});
  });
  table.extract("SpaceToDepth", extract_depth<ops::SpaceToDepth>);
  table.extract("DepthToSpace", extract_depth<ops::DepthToSpace>);
  table.extract("ExtractImagePatches", extract_patches);
}

}  // namespace mo::tensorflow
