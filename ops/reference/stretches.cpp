#include "ops/reference/stretches.hpp"

#include <algorithm>

namespace mo::ops::reference {
namespace {

template <class T, class W>
void widen(const std::byte* from, std::int64_t first, std::int64_t count, W* to) {
  const T* elements = reinterpret_cast<const T*>(from) + first;
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<W>(elements[i]);
}

template <class T, class W>
void narrow(const W* from, std::byte* to, std::int64_t first, std::int64_t count) {
  T* elements = reinterpret_cast<T*>(to) + first;
  for (std::int64_t i = 0; i < count; ++i) elements[i] = static_cast<T>(from[i]);
}

/// Calls `fn(std::type_identity<T>{})` with the type of elements that are widened to W but are not W; booleans are
/// bytes. Nothing is widened to f64 or i64.
template <class W, class Fn>
void visit_narrow(ElementType type, Fn fn) {
  if constexpr (std::is_same_v<W, float>) {
    return type == ElementType::f16 ? fn(std::type_identity<float16>{}) : fn(std::type_identity<bfloat16>{});
  } else if constexpr (std::is_same_v<W, std::uint64_t>) {
    return fn(std::type_identity<std::uint32_t>{});
  } else if constexpr (std::is_same_v<W, std::int32_t>) {
    switch (type) {
      case ElementType::i8: return fn(std::type_identity<std::int8_t>{});
      case ElementType::i16: return fn(std::type_identity<std::int16_t>{});
      case ElementType::u16: return fn(std::type_identity<std::uint16_t>{});
      default: return fn(std::type_identity<std::uint8_t>{});
    }
  }
}

}  // namespace

template <class W>
void WidenedElements<W>::convert(std::int64_t first, std::int64_t count) {
  visit_narrow<W>(type_, [&]<class T>(std::type_identity<T>) { widen<T>(bytes_, first, count, converted_.data()); });
  if (type_ == ElementType::boolean)  // anything but 0 is true
    std::for_each(converted_.begin(), converted_.begin() + count, [](W& each) { each = each != W(0) ? W(1) : W(0); });
}

template <class W>
void NarrowedElements<W>::convert(std::int64_t first, std::int64_t count) {
  visit_narrow<W>(type_, [&]<class T>(std::type_identity<T>) { narrow<T>(converted_.data(), bytes_, first, count); });
}

template class WidenedElements<float>;
template class WidenedElements<double>;
template class WidenedElements<std::int32_t>;
template class WidenedElements<std::int64_t>;
template class WidenedElements<std::uint64_t>;
template class NarrowedElements<float>;
template class NarrowedElements<double>;
template class NarrowedElements<std::int32_t>;
template class NarrowedElements<std::int64_t>;
template class NarrowedElements<std::uint64_t>;

}  // namespace mo::ops::reference
