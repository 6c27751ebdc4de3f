#include "ops/build/columns_to_image.hpp"

#include <algorithm>

#include "ops/build/lengths.hpp"
#include "ops/build/tensors.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace mo::build {
namespace {

using Integers = std::vector<std::int64_t>;

/// The filter of the transposed convolution: channel k of the columns is element k of a block.
Tensor one_element_each(const ColumnBlocks& blocks) {
  Shape shape = {blocks.elements, 1};
  shape.insert(shape.end(), blocks.shape.begin(), blocks.shape.end());
  std::vector<float> numbers(static_cast<std::size_t>(blocks.elements * blocks.elements), 0.0F);
  for (std::int64_t k = 0; k < blocks.elements; ++k) numbers[static_cast<std::size_t>(k * blocks.elements + k)] = 1;
  return Tensor::of<float>(std::move(shape), numbers);
}

}  // namespace

Value columns_to_image(Rewriter& rw, const Value& x, const Value& image, const ColumnBlocks& blocks) {
  const std::size_t rank = blocks.shape.size();
  Integers padding;  // both sides
  Integers last;     // the padded image less this is the place of the last block, before strides
  for (std::size_t i = 0; i < rank; ++i) {
    padding.push_back(blocks.pads_begin[i] + blocks.pads_end[i]);
    last.push_back(blocks.dilations[i] * (blocks.shape[i] - 1) + 1);
  }
  const Value padded = rw.create(ops::Add{}, image, rw.integers(padding));
  const Value free = rw.create(ops::Subtract{}, padded, rw.integers(last));
  const Value steps = rw.create(ops::Divide{}, free, rw.integers(blocks.strides));
  const Value places = rw.create(ops::Add{}, steps, rw.integers(Integers(rank, 1)));
  const Value columns = rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1, blocks.elements}), places}));
  const Value filter = as_type_of(rw, rw.constant(one_element_each(blocks)), x);
  Value sums = rw.create(ops::ConvolutionBackpropData{.strides = blocks.strides,
                                                      .pads_begin = Integers(rank, 0),
                                                      .pads_end = Integers(rank, 0),
                                                      .dilations = blocks.dilations},
                         columns, filter);
  if (std::any_of(blocks.strides.begin(), blocks.strides.end(), [](std::int64_t s) { return s != 1; })) {
    // The last block may end before the image does.
    const Value covered = rw.create(ops::Multiply{}, steps, rw.integers(blocks.strides));
    const Value rest = rw.create(ops::Subtract{}, free, covered);
    sums = rw.create(ops::v1::Pad{}, sums, rw.integers(Integers(rank + 2, 0)), join(rw, {rw.integers({0, 0}), rest}),
                     number_like(rw, x, 0));
  }
  if (std::any_of(padding.begin(), padding.end(), [](std::int64_t p) { return p != 0; })) {
    Integers axes;
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(2 + static_cast<std::int64_t>(i));
    const Value begin = rw.integers(blocks.pads_begin);
    sums = rw.create(ops::Slice{}, sums, begin, rw.create(ops::Add{}, image, begin), rw.integers(Integers(rank, 1)),
                     rw.integers(axes));
  }
  return rw.create(ops::Reshape{}, sums, join(rw, {length_along(rw, x, 0), rw.integers({-1}), image}));
}

}  // namespace mo::build
