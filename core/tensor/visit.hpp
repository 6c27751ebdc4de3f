#pragma once

#include <type_traits>

#include "core/tensor/half.hpp"

namespace mo {

/// Calls `fn(std::type_identity<T>{})` with the C++ type that stores `type`; every type of at least 8 bits (asserted).
template <class Fn>
auto visit_type(ElementType type, Fn&& fn) {
  switch (type) {
    case ElementType::boolean: return fn(std::type_identity<bool>{});
    case ElementType::bf16: return fn(std::type_identity<bfloat16>{});
    case ElementType::f16: return fn(std::type_identity<float16>{});
    case ElementType::f32: return fn(std::type_identity<float>{});
    case ElementType::f64: return fn(std::type_identity<double>{});
    case ElementType::i8: return fn(std::type_identity<std::int8_t>{});
    case ElementType::i16: return fn(std::type_identity<std::int16_t>{});
    case ElementType::i32: return fn(std::type_identity<std::int32_t>{});
    case ElementType::i64: return fn(std::type_identity<std::int64_t>{});
    case ElementType::u8: return fn(std::type_identity<std::uint8_t>{});
    case ElementType::u16: return fn(std::type_identity<std::uint16_t>{});
    case ElementType::u32: return fn(std::type_identity<std::uint32_t>{});
    case ElementType::u64: return fn(std::type_identity<std::uint64_t>{});
    default: break;
  }
  MO_ASSERT(false, "type without a C++ counterpart");
  return fn(std::type_identity<float>{});
}

}  // namespace mo
