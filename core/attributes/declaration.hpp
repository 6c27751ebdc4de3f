#pragma once

#include <tuple>
#include <utility>

#include "core/attributes/codec.hpp"

namespace mo {

/// One declared attribute of an op struct: its name and the member that holds it. Made by `attr`.
template <class Owner, class T>
struct AttributeDeclaration {
  std::string_view name;
  T Owner::*member;
  bool is_internal = false;
  bool is_omitted_at_default = false;

  /// Never written to the IR (layout, hidden bodies).
  constexpr AttributeDeclaration internal() const { return {name, member, true, is_omitted_at_default}; }
  /// Written to the IR only when it differs from the default of the struct.
  constexpr AttributeDeclaration optional() const { return {name, member, is_internal, true}; }
};

/// Declares the attribute `name`, which `member` holds.
template <class Owner, class T>
constexpr AttributeDeclaration<Owner, T> attr(std::string_view name, T Owner::*member) {
  return {name, member};
}

namespace detail {

/// The I-th entry of a list of attributes.
template <std::size_t I, class Entry>
struct AttributeEntry {
  Entry entry;
};

template <class Indices, class... Entries>
struct AttributeEntries;
template <std::size_t... I, class... Entries>
struct AttributeEntries<std::index_sequence<I...>, Entries...> : AttributeEntry<I, Entries>... {
  constexpr explicit AttributeEntries(const Entries&... entries) : AttributeEntry<I, Entries>{entries}... {}
};

}  // namespace detail

/// The declared attributes of a struct, in order:
/// `static constexpr auto attributes = Attributes{attr("axis", &SoftMax::axis)};`
/// An entry is a declaration or the list of another struct, usually of the base:
/// `Attributes{v3::ROIAlign::attributes, attr("aligned_mode", &ROIAlign::aligned_mode)}`.
///
/// Not a std::tuple: each file that includes an op reads its list, and the constraints of std::tuple cost a quarter of
/// the time that the compiler needs to read such a file. In sources of plugins that were written when it was one, a
/// std::tuple of declarations is read as well (docs/versions.md: they compile without changes).
template <class... Entries>
struct Attributes : detail::AttributeEntries<std::index_sequence_for<Entries...>, Entries...> {
  using detail::AttributeEntries<std::index_sequence_for<Entries...>, Entries...>::AttributeEntries;
};
template <class... Entries>
Attributes(Entries...) -> Attributes<Entries...>;

/// The declaration without its types: what the emitter, the IR reader, the text form and docs work with.
struct AttributeInfo {
  std::string_view name;
  AttributeKind kind;
  bool internal;
  bool omitted_at_default;
  std::span<const std::string_view> choices;  ///< of an enumeration
  AttributeValue (*get)(const void* op);
  Expected<void> (*set)(void* op, const AttributeValue& value);
  Graph* (*body)(const void* op);  ///< the graph of an attribute of kind body; null for other kinds
};

namespace detail {

/// The number of declarations in an entry.
template <class Entry>
inline constexpr std::size_t kDeclarations = 1;
template <class... Entries>
inline constexpr std::size_t kDeclarations<Attributes<Entries...>> = (std::size_t{0} + ... + kDeclarations<Entries>);
template <class... Declarations>
inline constexpr std::size_t kDeclarations<std::tuple<Declarations...>> = sizeof...(Declarations);

template <std::size_t I, class Entry>
constexpr const Entry& attribute_entry(const AttributeEntry<I, Entry>& base) {
  return base.entry;
}

template <std::size_t I, class... Declarations>
constexpr auto declaration_at(const std::tuple<Declarations...>& list) {
  return std::get<I>(list);
}
/// The I-th declaration of `list` from entry J on, counting those of nested lists.
template <std::size_t I, std::size_t J = 0, class List>
constexpr auto declaration_at(const List& list) {
  const auto& entry = attribute_entry<J>(list);
  constexpr std::size_t count = kDeclarations<std::decay_t<decltype(entry)>>;
  if constexpr (I >= count)
    return declaration_at<I - count, J + 1>(list);
  else if constexpr (requires { entry.member; })
    return entry;
  else
    return declaration_at<I>(entry);
}

template <class Owner>
inline constexpr std::size_t kAttributeCount = kDeclarations<std::decay_t<decltype(Owner::attributes)>>;

template <class Owner, std::size_t I>
AttributeValue get_attribute(const void* op) {
  constexpr auto declaration = declaration_at<I>(Owner::attributes);
  const auto& member = static_cast<const Owner*>(op)->*declaration.member;
  return AttributeCodec<std::decay_t<decltype(member)>>::encode(member);
}

template <class Owner, std::size_t I>
Expected<void> set_attribute(void* op, const AttributeValue& value) {
  constexpr auto declaration = declaration_at<I>(Owner::attributes);
  auto& member = static_cast<Owner*>(op)->*declaration.member;
  MO_ASSIGN(member, AttributeCodec<std::decay_t<decltype(member)>>::decode(value));
  return {};
}

template <class Owner, std::size_t I>
Graph* get_body(const void* op) {
  constexpr auto declaration = declaration_at<I>(Owner::attributes);
  return &(static_cast<const Owner*>(op)->*declaration.member).graph();
}

template <class T>
struct Choices {
  static std::span<const std::string_view> get() { return {}; }
};
template <NamedEnum E>
struct Choices<E> {
  static std::span<const std::string_view> get() { return names_of(E{}); }
};

template <class Owner, std::size_t... I>
std::vector<AttributeInfo> attribute_infos(std::index_sequence<I...>) {
  [[maybe_unused]] const auto make = []<std::size_t J>(std::integral_constant<std::size_t, J>) {
    constexpr auto d = declaration_at<J>(Owner::attributes);
    using Member = std::decay_t<decltype(std::declval<Owner>().*d.member)>;
    AttributeInfo info{d.name,
                       AttributeCodec<Member>::kind,
                       d.is_internal,
                       d.is_omitted_at_default,
                       Choices<Member>::get(),
                       &get_attribute<Owner, J>,
                       &set_attribute<Owner, J>,
                       nullptr};
    if constexpr (std::is_same_v<Member, Body>) info.body = &get_body<Owner, J>;
    return info;
  };
  return {make(std::integral_constant<std::size_t, I>{})...};
}

}  // namespace detail

/// The declarations of a struct in order.
template <class Owner>
std::vector<AttributeInfo> attribute_infos() {
  return detail::attribute_infos<Owner>(std::make_index_sequence<detail::kAttributeCount<Owner>>{});
}

/// Calls `fn(declaration)` for each declaration of a struct in order.
template <class Owner, class Fn>
constexpr void for_each_attribute(Fn&& fn) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (fn(detail::declaration_at<I>(Owner::attributes)), ...); }
  (std::make_index_sequence<detail::kAttributeCount<Owner>>{});
}

template <Record T>
struct AttributeCodec<T> {
  static constexpr AttributeKind kind = AttributeKind::record;
  static AttributeValue encode(const T& v) {
    AttributeMap map;
    for (const AttributeInfo& info : attribute_infos<T>())
      if (AttributeValue value = info.get(&v); !value.is_none()) map.set(info.name, std::move(value));
    return map;
  }
  static Expected<T> decode(const AttributeValue& v) {
    const AttributeMap* map = v.map();
    if (!map) return wrong_kind(to_string(kind), v);
    T record;
    for (const AttributeInfo& info : attribute_infos<T>())
      if (const AttributeValue* value = map->find(info.name)) MO_TRY(info.set(&record, *value));
    return record;
  }
};

template <Record T>
struct AttributeCodec<std::vector<T>> {
  static constexpr AttributeKind kind = AttributeKind::list;
  static AttributeValue encode(const std::vector<T>& v) {
    AttributeList list;
    for (const T& item : v) list.push_back(AttributeCodec<T>::encode(item));
    return list;
  }
  static Expected<std::vector<T>> decode(const AttributeValue& v) {
    const auto* list = v.get_if<AttributeList>();
    if (!list) return wrong_kind(to_string(kind), v);
    std::vector<T> items;
    for (const AttributeValue& item : *list) {
      MO_ASSIGN(T decoded, AttributeCodec<T>::decode(item));
      items.push_back(std::move(decoded));
    }
    return items;
  }
};

}  // namespace mo
