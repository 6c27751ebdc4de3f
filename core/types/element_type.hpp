#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mo {

/// Type of one element of a tensor. `dynamic`: not known (yet). Values from kFirstNamedType on are types that are known
/// by name only.
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

/// A type that mo does not know: an IR names it, and tools that compute nothing carry it through. Its elements have no
/// known size, so a constant of such a type is as long as its file says. The names are interned for the life of the
/// process, at most kMostNamedTypes of them; the numbers of the types depend on the order of reading and reach no file.
inline constexpr std::uint8_t kFirstNamedType = 128;
inline constexpr std::size_t kMostNamedTypes = 128;
inline constexpr std::size_t kLongestTypeName = 32;
inline bool is_named(ElementType type) { return static_cast<std::uint8_t>(type) >= kFirstNamedType; }
/// Whether a type that is not known may be called so: 1 to 32 letters, digits and '_', a letter first.
bool is_type_name(std::string_view name);
/// The type of that name, which is a type name: a known one, or one that is known by name only. Nothing when no more
/// names fit. Safe to call from any thread.
std::optional<ElementType> named_element_type(std::string_view name);

/// All known types but `dynamic`, in declaration order.
std::span<const ElementType> all_element_types();

/// Spelling in IR attributes and in the text form: "f32", "boolean", "dynamic".
std::string_view to_string(ElementType type);
/// The inverse of to_string for known types, exact spelling.
std::optional<ElementType> element_type_from(std::string_view name);

/// Size of one element; 0 for `dynamic`, `string` and types that are known by name only, whose elements have no fixed
/// size. boolean takes 8 bits.
std::size_t bit_width(ElementType type);
/// Returns true for the types whose tensors are as long as their buffer: strings, and those that are known by name
/// only.
inline bool has_own_size(ElementType type) { return type >= ElementType::string; }

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
