#include <algorithm>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace mo::onnx {
namespace {

/// What the attributes and the known shape of a block say; all lists have one number for each spatial axis.
struct ImageBlocks {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::int64_t elements = 1;  ///< of a block
  /// From the first to behind the last element of a block.
  std::int64_t reach(std::size_t i) const { return dilations[i] * (shape[i] - 1) + 1; }
};

/// `each` numbers for each of `rank` axes: `usual` without the attribute, which is the least one as well.
Expected<std::vector<std::int64_t>> numbers_per_axis(const FrameworkNode& node, std::string_view name, std::size_t rank, std::size_t each,
                                                     std::int64_t usual) {
  auto numbers = node.attr(name, std::vector<std::int64_t>{});
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  for (const std::int64_t number : numbers)
    if (number < usual || number > kMost)
      return node.error("MO-ONNX-0102", "{} has the number {}", name, number).hint("check how the model was exported");
  if (numbers.empty()) numbers.assign(rank * each, usual);
  if (numbers.size() != rank * each)
    return node.error("MO-ONNX-0100", "{} has {} numbers for {} spatial axes", name, numbers.size(), rank).hint("check how the model was exported");
  return numbers;
}

Expected<ImageBlocks> image_blocks(const FrameworkNode& node) {
  constexpr std::int64_t kMostElements = 1024;
  ImageBlocks blocks;
  const auto shape = integers_of(node.input(2));
  if (shape) blocks.shape = *shape;
  bool sound = shape && !shape->empty() && shape->size() <= 3;
  for (const std::int64_t size : blocks.shape) {
    sound = sound && size >= 1 && size <= kMostElements;
    if (sound) blocks.elements *= size;
  }
  if (!sound || blocks.elements > kMostElements)
    return node.error("MO-ONNX-0424", "the block shape is not 1 to 3 known sizes, or has more than {} elements", kMostElements)
        .hint("make block_shape a constant; the IR adds blocks up with a transposed convolution of 1 to 3 spatial axes");
  const std::size_t rank = blocks.shape.size();
  MO_ASSIGN(blocks.strides, numbers_per_axis(node, "strides", rank, 1, 1));
  MO_ASSIGN(blocks.dilations, numbers_per_axis(node, "dilations", rank, 1, 1));
  MO_ASSIGN(const std::vector<std::int64_t> pads, numbers_per_axis(node, "pads", rank, 2, 0));
  blocks.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
  blocks.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
  return blocks;
}

/// The filter of the transposed convolution: channel k of the columns is element k of a block.
Tensor one_element_each(const ImageBlocks& blocks) {
  Shape shape = {blocks.elements, 1};
  shape.insert(shape.end(), blocks.shape.begin(), blocks.shape.end());
  std::vector<float> numbers(static_cast<std::size_t>(blocks.elements * blocks.elements), 0.0F);
  for (std::int64_t k = 0; k < blocks.elements; ++k) numbers[static_cast<std::size_t>(k * blocks.elements + k)] = 1;
  return Tensor::of<float>(std::move(shape), numbers);
}

/// Columns [N, C * block, places] -> image [N, C, …]: a transposed convolution adds up what blocks have in common; the padding is cut off.
/// Inputs: columns, shape of the image, shape of a block.
Replacement col2im(const FrameworkNode& node, Rewriter& rw) {
  using Integers = std::vector<std::int64_t>;
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const ImageBlocks blocks, image_blocks(node));
  const Value x = node.input(0);
  const std::size_t rank = blocks.shape.size();
  Integers padding;  // both sides
  Integers last;     // the padded image less this is the place of the last block, before strides
  for (std::size_t i = 0; i < rank; ++i) {
    padding.push_back(blocks.pads_begin[i] + blocks.pads_end[i]);
    last.push_back(blocks.reach(i));
  }
  const Value image = as_i64(rw, node.input(1));
  const Value padded = rw.create(ops::Add{}, image, rw.integers(padding));
  const Value free = rw.create(ops::Subtract{}, padded, rw.integers(last));
  const Value steps = rw.create(ops::Divide{}, free, rw.integers(blocks.strides));
  const Value places = rw.create(ops::Add{}, steps, rw.integers(Integers(rank, 1)));
  const Value columns = rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1, blocks.elements}), places}));
  const Value filter = as_type_of(rw, rw.constant(one_element_each(blocks)), x);
  Value sums = rw.create(
      ops::ConvolutionBackpropData{
          .strides = blocks.strides, .pads_begin = Integers(rank, 0), .pads_end = Integers(rank, 0), .dilations = blocks.dilations},
      columns, filter);
  if (std::any_of(blocks.strides.begin(), blocks.strides.end(), [](std::int64_t s) { return s != 1; })) {
    // The last block may end before the image does.
    const Value covered = rw.create(ops::Multiply{}, steps, rw.integers(blocks.strides));
    const Value rest = rw.create(ops::Subtract{}, free, covered);
    sums = rw.create(ops::v1::Pad{}, sums, rw.integers(Integers(rank + 2, 0)), join(rw, {rw.integers({0, 0}), rest}), number_like(rw, x, 0));
  }
  if (std::any_of(padding.begin(), padding.end(), [](std::int64_t p) { return p != 0; })) {
    Integers axes;
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(2 + static_cast<std::int64_t>(i));
    const Value begin = rw.integers(blocks.pads_begin);
    sums = rw.create(ops::Slice{}, sums, begin, rw.create(ops::Add{}, image, begin), rw.integers(Integers(rank, 1)), rw.integers(axes));
  }
  return rw.create(ops::Reshape{}, sums, join(rw, {length_along(rw, x, 0), rw.integers({-1}), image}));
}

}  // namespace

void register_col2im(OperatorTable& table) { table.translate("Col2Im", since(18), col2im); }

}  // namespace mo::onnx
