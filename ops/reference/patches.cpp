#include "ops/reference/patches.hpp"

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {

void extract_patches(const Tensor& data, const PatchWindow& vertical, const PatchWindow& horizontal, Tensor& out) {
  if (out.element_count() == 0) return;
  const std::int64_t channels = data.shape()[1];
  const std::int64_t height = data.shape()[2];
  const std::int64_t width = data.shape()[3];
  const std::int64_t rows = out.shape()[2];
  const std::int64_t columns = out.shape()[3];
  visit_width(element_width(data.element_type()), [&]<class W>(W) {
    const W* from = words<W>(data);
    W* to = mutable_words<W>(out);
    for (std::int64_t n = 0; n < out.shape()[0]; ++n)
      for (std::int64_t y = 0; y < vertical.size; ++y)
        for (std::int64_t x = 0; x < horizontal.size; ++x)
          for (std::int64_t c = 0; c < channels; ++c) {
            const W* image = from + (n * channels + c) * height * width;
            for (std::int64_t row = 0; row < rows; ++row) {
              const std::int64_t v = row * vertical.stride + y * vertical.rate - vertical.pad;
              for (std::int64_t column = 0; column < columns; ++column) {
                const std::int64_t h = column * horizontal.stride + x * horizontal.rate - horizontal.pad;
                const bool inside = v >= 0 && v < height && h >= 0 && h < width;
                *to++ = inside ? image[v * width + h] : W{};
              }
            }
          }
  });
}

}  // namespace mo::ops::reference
