#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::onnx {

/// Numbers of 4 or 8 bits in bytes: `rows` rows of `count` numbers, each row filled up to whole bytes, the low half of
/// a byte first. As u4 or u8 of `shape`, without what fills the rows.
Expected<Tensor> unpacked_rows(const Tensor& bytes, std::int64_t bits, std::int64_t rows, std::int64_t count,
                               const Shape& shape);

}  // namespace mo::onnx
