#pragma once

#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/buffer.hpp"
#include "core/types/partial_shape.hpp"

namespace mo {

/// The element type that a C++ type stores. Half types: core/tensor/half.hpp.
template <class T>
inline constexpr ElementType element_type_of = ElementType::dynamic;
template <>
inline constexpr ElementType element_type_of<bool> = ElementType::boolean;
template <>
inline constexpr ElementType element_type_of<float> = ElementType::f32;
template <>
inline constexpr ElementType element_type_of<double> = ElementType::f64;
template <>
inline constexpr ElementType element_type_of<std::int8_t> = ElementType::i8;
template <>
inline constexpr ElementType element_type_of<std::int16_t> = ElementType::i16;
template <>
inline constexpr ElementType element_type_of<std::int32_t> = ElementType::i32;
template <>
inline constexpr ElementType element_type_of<std::int64_t> = ElementType::i64;
template <>
inline constexpr ElementType element_type_of<std::uint8_t> = ElementType::u8;
template <>
inline constexpr ElementType element_type_of<std::uint16_t> = ElementType::u16;
template <>
inline constexpr ElementType element_type_of<std::uint32_t> = ElementType::u32;
template <>
inline constexpr ElementType element_type_of<std::uint64_t> = ElementType::u64;

/// A constant: element type, static shape, and a stretch of a reference-counted buffer (row-major, little-endian,
/// packed). Copying is cheap and shares the bytes. A default-constructed tensor is `empty()` and stands for "none".
class Tensor {
 public:
  Tensor() = default;

  /// On the heap, zeros unless the caller writes all of it. Errors: MO-CORE-0001 (no memory), MO-CORE-0002 (size
  /// overflows or type without fixed size).
  static Expected<Tensor> allocate(ElementType type, Shape shape,
                                   HeapBuffer::Content content = HeapBuffer::Content::zeros);
  /// A view of a buffer. Error MO-CORE-0003 when `offset` and the shape's size do not lie in it.
  static Expected<Tensor> from_buffer(ElementType type, Shape shape, BufferPtr buffer, std::uint64_t offset = 0);

  /// Copies `values`; their number must be that of the shape (asserted). Small tensors made by code.
  template <class T>
  static Tensor of(Shape shape, std::span<const T> values);
  template <class T>
  static Tensor scalar(T value) {
    return of<T>({}, std::span<const T>(&value, 1));
  }
  template <class T>
  static Tensor vector(const std::vector<T>& values) {
    return of<T>({static_cast<std::int64_t>(values.size())}, std::span<const T>(values));
  }

  bool empty() const { return buffer_ == nullptr; }
  ElementType element_type() const { return element_type_; }
  const Shape& shape() const { return shape_; }
  std::int64_t rank() const { return static_cast<std::int64_t>(shape_.size()); }
  TensorType type() const { return {element_type_, PartialShape(shape_)}; }
  std::int64_t element_count() const { return count_; }
  std::uint64_t byte_size() const { return bytes_; }
  const BufferPtr& buffer() const { return buffer_; }
  std::uint64_t offset() const { return offset_; }

  /// The bytes can be looked at without reading or computing anything.
  bool in_memory() const { return buffer_ && buffer_->in_memory(); }
  /// An equal tensor in memory. O(1) when it is there already.
  Expected<Tensor> load() const;

  /// The packed bytes; only when in memory.
  std::span<const std::byte> bytes() const;
  /// The elements; only when in memory and T is what the element type stores (asserted).
  template <class T>
  std::span<const T> values() const;
  /// Writable elements, for the code that has just allocated this tensor and not shared it yet (asserted).
  template <class T>
  std::span<T> mutable_values();
  std::span<std::byte> mutable_bytes();

  /// The same bytes under another shape of equal size (asserted).
  Tensor reshaped(Shape shape) const;
  /// The same bytes as another element type of the same width (asserted).
  Tensor reinterpreted(ElementType type) const;

 private:
  void check_access(ElementType stored, std::size_t size) const;

  ElementType element_type_ = ElementType::dynamic;
  Shape shape_;
  std::int64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  BufferPtr buffer_;
  std::uint64_t offset_ = 0;
};

template <class T>
Tensor Tensor::of(Shape shape, std::span<const T> values) {
  auto tensor = allocate(element_type_of<T>, std::move(shape));
  if (!tensor) throw std::bad_alloc();  // nothing else can be wrong with a shape whose values are there
  MO_ASSERT(static_cast<std::size_t>(tensor->count_) == values.size(), "values do not fill the shape");
  if (!values.empty()) std::memcpy(tensor->mutable_bytes().data(), values.data(), values.size_bytes());
  return *std::move(tensor);
}

template <class T>
std::span<const T> Tensor::values() const {
  check_access(element_type_of<T>, sizeof(T));
  return {reinterpret_cast<const T*>(bytes().data()), static_cast<std::size_t>(count_)};
}

template <class T>
std::span<T> Tensor::mutable_values() {
  check_access(element_type_of<T>, sizeof(T));
  return {reinterpret_cast<T*>(mutable_bytes().data()), static_cast<std::size_t>(count_)};
}

}  // namespace mo
