#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <optional>

#include "core/attributes/attribute_value.hpp"

namespace mo {

/// What kind of value a declared attribute holds; drives the text in IR files, the text form, and docs.
enum class AttributeKind : std::uint8_t {
  boolean,
  integer,
  real,
  string,
  enumeration,
  element_type,
  shape,
  integers,
  reals,
  strings,
  tensor,
  body,
  list,
  record,
};

std::string_view to_string(AttributeKind kind);

/// An enumeration that names its enumerators (0, 1, 2 …) through `names_of(E{})`, an array of string_view found by ADL.
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  names_of(e)[0];
};

Diagnostic wrong_kind(std::string_view wanted, const AttributeValue& got);
Diagnostic wrong_choice(const std::string& got, std::span<const std::string_view> choices);

/// Conversion between a struct member of type T and AttributeValue. Specialise it for further member types.
template <class T>
struct AttributeCodec;

template <class T, AttributeKind K>
struct PlainCodec {
  static constexpr AttributeKind kind = K;
  static AttributeValue encode(const T& v) { return v; }
  static Expected<T> decode(const AttributeValue& v) {
    if (const T* p = v.get_if<T>()) return *p;
    return wrong_kind(to_string(K), v);
  }
};

template <>
struct AttributeCodec<std::string> : PlainCodec<std::string, AttributeKind::string> {};
template <>
struct AttributeCodec<ElementType> : PlainCodec<ElementType, AttributeKind::element_type> {};
template <>
struct AttributeCodec<Tensor> : PlainCodec<Tensor, AttributeKind::tensor> {};
template <>
struct AttributeCodec<Body> {
  static constexpr AttributeKind kind = AttributeKind::body;
  static AttributeValue encode(const Body& v) { return v.clone(); }
  static Expected<Body> decode(const AttributeValue& v) {
    if (const Body* p = v.get_if<Body>()) return p->clone();
    return wrong_kind(to_string(kind), v);
  }
};

template <>
struct AttributeCodec<AttributeValue> {
  static constexpr AttributeKind kind = AttributeKind::list;
  static AttributeValue encode(const AttributeValue& v) { return v; }
  static Expected<AttributeValue> decode(const AttributeValue& v) { return v; }
};

template <>
struct AttributeCodec<PartialShape> {
  static constexpr AttributeKind kind = AttributeKind::shape;
  static AttributeValue encode(const PartialShape& v) { return v; }
  static Expected<PartialShape> decode(const AttributeValue& v);
};

template <>
struct AttributeCodec<bool> {
  static constexpr AttributeKind kind = AttributeKind::boolean;
  static AttributeValue encode(bool v) { return v; }
  static Expected<bool> decode(const AttributeValue& v);  ///< also 0 and 1
};

template <>
struct AttributeCodec<double> {
  static constexpr AttributeKind kind = AttributeKind::real;
  static AttributeValue encode(double v) { return v; }
  static Expected<double> decode(const AttributeValue& v);  ///< also integers
};

template <std::integral T>
requires(!std::same_as<T, bool>) struct AttributeCodec<T> {
  static constexpr AttributeKind kind = AttributeKind::integer;
  static AttributeValue encode(T v) { return static_cast<std::int64_t>(v); }
  static Expected<T> decode(const AttributeValue& v) {
    const auto* p = v.get_if<std::int64_t>();
    if (!p) return wrong_kind(to_string(kind), v);
    if (!std::in_range<T>(*p)) return error("MO-CORE-0011", "{} does not fit the attribute", *p);
    return static_cast<T>(*p);
  }
};

template <>
struct AttributeCodec<std::vector<std::int64_t>> {
  static constexpr AttributeKind kind = AttributeKind::integers;
  static AttributeValue encode(const std::vector<std::int64_t>& v) { return v; }
  /// also an empty list of any kind
  static Expected<std::vector<std::int64_t>> decode(const AttributeValue& v);
};

template <>
struct AttributeCodec<std::vector<double>> {
  static constexpr AttributeKind kind = AttributeKind::reals;
  static AttributeValue encode(const std::vector<double>& v) { return v; }
  static Expected<std::vector<double>> decode(const AttributeValue& v);  ///< also integers
};

template <>
struct AttributeCodec<std::vector<std::string>> {
  static constexpr AttributeKind kind = AttributeKind::strings;
  static AttributeValue encode(const std::vector<std::string>& v) { return v; }
  static Expected<std::vector<std::string>> decode(const AttributeValue& v);
};

template <NamedEnum E>
struct AttributeCodec<E> {
  static constexpr AttributeKind kind = AttributeKind::enumeration;
  static AttributeValue encode(E v) { return std::string(names_of(v)[static_cast<std::size_t>(v)]); }
  static Expected<E> decode(const AttributeValue& v) {
    const auto* text = v.get_if<std::string>();
    if (!text) return wrong_kind(to_string(kind), v);
    const auto& names = names_of(E{});
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == *text) return static_cast<E>(i);
    return wrong_choice(*text, names);
  }
};

/// Unset is written as nothing.
template <class T>
struct AttributeCodec<std::optional<T>> {
  static constexpr AttributeKind kind = AttributeCodec<T>::kind;
  static AttributeValue encode(const std::optional<T>& v) {
    return v ? AttributeCodec<T>::encode(*v) : AttributeValue();
  }
  static Expected<std::optional<T>> decode(const AttributeValue& v) {
    if (v.is_none()) return std::optional<T>();
    MO_ASSIGN(T decoded, AttributeCodec<T>::decode(v));
    return std::optional<T>(std::move(decoded));
  }
};

/// A struct with a declared attribute list of its own: a record inside an attribute (a port map entry).
template <class T>
concept Record = requires {
  T::attributes;
}
&&!requires { T::id; };

template <Record T>
struct AttributeCodec<T>;  // defined in core/attributes/declaration.hpp

template <Record T>
struct AttributeCodec<std::vector<T>>;  // defined in core/attributes/declaration.hpp

/// The text of a value in an IR attribute: "1, 2", "true", "f32"; floats in their shortest form that reads back equal.
/// Error MO-CORE-0012 for what has no such text (tensors, bodies, records, inf and nan).
Expected<std::string> to_ir_text(const AttributeValue& value);
/// The inverse, for the expected kind of value. Error MO-CORE-0013.
Expected<AttributeValue> from_ir_text(AttributeKind kind, std::string_view text);

/// The shortest decimal text that reads back as the same float (when the number is one) or double. Locale-free.
std::string shortest_real(double value);

}  // namespace mo
