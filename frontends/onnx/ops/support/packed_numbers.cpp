#include "frontends/onnx/ops/support/packed_numbers.hpp"

#include "core/tensor/convert.hpp"

namespace mo::onnx {

Expected<Tensor> unpacked_rows(const Tensor& bytes, std::int64_t bits, std::int64_t rows, std::int64_t count,
                               const Shape& shape) {
  MO_ASSIGN(const Tensor loaded, bytes.load());
  const std::span<const std::uint8_t> packed = loaded.values<std::uint8_t>();
  const std::int64_t bytes_of_row = (count * bits + 7) / 8;
  std::vector<std::int64_t> numbers;
  numbers.reserve(static_cast<std::size_t>(rows * count));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint8_t byte = packed[static_cast<std::size_t>(row * bytes_of_row + i * bits / 8)];
      numbers.push_back(bits == 8 ? byte : i % 2 == 0 ? byte & 15 : byte >> 4);
    }
  return from_integers(bits == 4 ? ElementType::u4 : ElementType::u8, shape, numbers);
}

}  // namespace mo::onnx
