#pragma once

#include <array>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// An element as bytes. Kernels that only move elements work on these: one instantiation per size instead of one per
/// element type, and legal whatever type the bytes have.
template <std::size_t N>
struct Word {
  std::array<std::byte, N> bytes;
};

/// Bytes of one element; only for types of at least 8 bits (asserted).
std::int64_t element_width(ElementType type);

/// Calls `fn(Word<N>{})` for the size of an element (asserted to be 1, 2, 4 or 8 bytes).
template <class Fn>
void visit_width(std::int64_t width, Fn&& fn) {
  switch (width) {
    case 1: return fn(Word<1>{});
    case 2: return fn(Word<2>{});
    case 4: return fn(Word<4>{});
    default: break;
  }
  MO_ASSERT(width == 8, "elements of this size do not exist");
  fn(Word<8>{});
}

template <class W>
const W* words(const Tensor& tensor) {
  return reinterpret_cast<const W*>(tensor.bytes().data());
}
template <class W>
W* mutable_words(Tensor& tensor) {
  return reinterpret_cast<W*>(tensor.mutable_bytes().data());
}

/// Where the elements of one operand lie: the place of the first one, and the step of each dimension. In elements;
/// steps may be 0 or negative.
struct StridedView {
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;
};

/// Steps of a packed row-major tensor.
std::vector<std::int64_t> row_major_strides(const Shape& shape);
/// All of a packed tensor.
inline StridedView whole(const Shape& shape) { return {0, row_major_strides(shape)}; }

/// to[view of i] = from[view of i] for every index i of `shape`. Both views have as many steps as `shape` dimensions
/// and stay inside of their tensors; the element types have the same width. Transposed reads are blocked for the cache.
void strided_copy(const Tensor& from, StridedView from_view, Tensor& to, StridedView to_view, Shape shape);

/// All bytes of a tensor into one of the same size.
void copy_all(const Tensor& from, Tensor& to);

}  // namespace mo::ops::reference
