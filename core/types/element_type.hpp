#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mo {

/// Type of one element of a tensor. `dynamic`: not known (yet).
enum class ElementType : std::uint8_t {
  dynamic,
  boolean,
  bf16,
  f16,
  f32,
  f64,
  i4,
  i8,
  i16,
  i32,
  i64,
  u1,
  u4,
  u8,
  u16,
  u32,
  u64,
  string,
};

/// All types but `dynamic`, in declaration order.
std::span<const ElementType> all_element_types();

/// Spelling in IR attributes and in the text form: "f32", "boolean", "dynamic".
std::string_view to_string(ElementType type);
/// The inverse of to_string, exact spelling.
std::optional<ElementType> element_type_from(std::string_view name);

/// Size of one element; 0 for `dynamic` and `string`, whose elements have no fixed size. boolean takes 8 bits.
std::size_t bit_width(ElementType type);

bool is_real(ElementType type);      ///< bf16, f16, f32, f64
bool is_integral(ElementType type);  ///< i*, u*; not boolean
bool is_signed(ElementType type);    ///< reals and i*

/// Bytes of `count` packed elements (sub-byte types are packed, the last byte is padded); nothing when it overflows,
/// `count` is negative or the type has no fixed size.
std::optional<std::size_t> byte_size(ElementType type, std::int64_t count);

}  // namespace mo
