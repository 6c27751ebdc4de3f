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
  u2,
  u3,
  u4,
  u6,
  u8,
  u16,
  u32,
  u64,
  nf4,     ///< 4-bit normal float: 16 values between -1 and 1
  f4e2m1,  ///< 4-bit float
  f8e4m3,  ///< 8-bit float without infinities
  f8e5m2,  ///< 8-bit float
  f8e8m0,  ///< a power of 2, 8 bits
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

bool is_real(ElementType type);        ///< bf16, f16, f32, f64: the reals that ops compute with
bool is_small_real(ElementType type);  ///< nf4, f4e2m1, f8*: real values that are only stored, moved and converted
bool is_integral(ElementType type);    ///< i*, u*; not boolean
bool is_signed(ElementType type);      ///< bf16, f16, f32, f64 and i*
/// Returns true for the types of both kinds of reals.
inline bool holds_reals(ElementType type) { return is_real(type) || is_small_real(type); }

/// Bytes of `count` packed elements; nothing when it overflows, `count` is negative or the type has no fixed size.
/// Types below 8 bits are packed, and the last byte is padded: 8 elements of u3 or 4 of u6 share 3 bytes, which are
/// always complete.
std::optional<std::size_t> byte_size(ElementType type, std::int64_t count);

}  // namespace mo
