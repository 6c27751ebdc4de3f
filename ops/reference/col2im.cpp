#include "ops/reference/col2im.hpp"

namespace mo::ops::reference {
namespace {

template <class T>
void add_blocks_of(const Tensor& columns, Tensor& out, const ImageBlocks& b) {
  const auto source = columns.values<T>();
  const auto target = out.mutable_values<T>();
  const std::int64_t images = out.shape()[0];
  const std::int64_t height = out.shape()[1];
  const std::int64_t width = out.shape()[2];
  std::size_t next = 0;
  for (std::int64_t image = 0; image < images; ++image)
    for (std::int64_t i = 0; i < b.block[0]; ++i)
      for (std::int64_t j = 0; j < b.block[1]; ++j)
        for (std::int64_t row = 0; row < b.count[0]; ++row)
          for (std::int64_t column = 0; column < b.count[1]; ++column, ++next) {
            const std::int64_t y = row * b.strides[0] + i * b.dilations[0] - b.pads_begin[0];
            const std::int64_t x = column * b.strides[1] + j * b.dilations[1] - b.pads_begin[1];
            if (y >= 0 && y < height && x >= 0 && x < width)
              target[static_cast<std::size_t>((image * height + y) * width + x)] += source[next];
          }
}

}  // namespace

void add_blocks(const Tensor& columns, Tensor& out, const ImageBlocks& blocks) {
  if (columns.element_type() == ElementType::f64)
    add_blocks_of<double>(columns, out, blocks);
  else
    add_blocks_of<float>(columns, out, blocks);
}

}  // namespace mo::ops::reference
