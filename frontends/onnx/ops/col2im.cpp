#include "ops/col2im.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/columns_to_image.hpp"

namespace mo::onnx {
namespace {

/// `each` numbers for each of `rank` axes: `usual` without the attribute, which is the least one as well.
Expected<std::vector<std::int64_t>> numbers_per_axis(const FrameworkNode& node, std::string_view name, std::size_t rank,
                                                     std::size_t each, std::int64_t usual) {
  auto numbers = node.attr(name, std::vector<std::int64_t>{});
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  for (const std::int64_t number : numbers)
    if (number < usual || number > kMost)
      return node.error("MO-ONNX-0102", "{} has the value {}", name, number)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (numbers.empty()) numbers.assign(rank * each, usual);
  if (numbers.size() != rank * each)
    return node.error("MO-ONNX-0100", "{} has {} values for {} spatial axes", name, numbers.size(), rank)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return numbers;
}

Expected<build::ColumnBlocks> image_blocks(const FrameworkNode& node) {
  constexpr std::int64_t kMostElements = 1024;
  build::ColumnBlocks blocks;
  const auto shape = integers_of(node.input(2));
  if (shape) blocks.shape = *shape;
  bool sound = shape && !shape->empty() && shape->size() <= 3;
  for (const std::int64_t size : blocks.shape) {
    sound = sound && size >= 1 && size <= kMostElements;
    if (sound) blocks.elements *= size;
  }
  if (!sound || blocks.elements > kMostElements)
    return node
        .error("MO-ONNX-0424", "the block shape is not 1 to 3 known sizes, or has more than {} elements", kMostElements)
        .hint(
            "make block_shape a constant; the IR adds blocks up with a transposed convolution of 1 to 3 spatial axes");
  const std::size_t rank = blocks.shape.size();
  MO_ASSIGN(blocks.strides, numbers_per_axis(node, "strides", rank, 1, 1));
  MO_ASSIGN(blocks.dilations, numbers_per_axis(node, "dilations", rank, 1, 1));
  MO_ASSIGN(const std::vector<std::int64_t> pads, numbers_per_axis(node, "pads", rank, 2, 0));
  blocks.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
  blocks.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
  return blocks;
}

/// Columns [N, C * block, places] -> image [N, C, …]. Inputs: columns, shape of the image, shape of a block. The IR's
/// op is for two spatial axes.
Replacement col2im(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const build::ColumnBlocks blocks, image_blocks(node));
  const Value image = as_i64(rw, node.input(1));
  if (blocks.shape.size() != 2) return columns_to_image(rw, node.input(0), image, blocks);
  return rw.create(ops::Col2Im{.strides = blocks.strides,
                               .dilations = blocks.dilations,
                               .pads_begin = blocks.pads_begin,
                               .pads_end = blocks.pads_end},
                   node.input(0), image, rw.integers(blocks.shape));
}

}  // namespace

void register_col2im(OperatorTable& table) { table.translate("Col2Im", since(18), col2im); }

}  // namespace mo::onnx
