#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Complex numbers are the last dimension (2) of f64 tensors; axes count the other dimensions.

/// The discrete Fourier transform along one axis, cut or filled with zeros to `size` before; the inverse one is divided
/// by `size`.
Expected<Tensor> fourier(const Tensor& data, std::int64_t axis, std::int64_t size, bool inverse);
/// The numbers of a real tensor with imaginary parts of zero: one more dimension.
Expected<Tensor> with_imaginary(const Tensor& data);
/// Without the imaginary parts: one dimension less.
Expected<Tensor> real_part(const Tensor& data);
/// The first `size` elements along an axis of a complex tensor; zeros after the last.
Expected<Tensor> resized(const Tensor& data, std::int64_t axis, std::int64_t size);
/// `size` elements of which the second half mirrors the first: what a real signal's transform looks like.
Expected<Tensor> mirrored(const Tensor& data, std::int64_t axis, std::int64_t size);

}  // namespace mo::ops::reference
