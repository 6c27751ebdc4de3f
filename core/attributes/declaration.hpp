#pragma once

#include <tuple>

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

/// `static constexpr auto attributes = std::tuple{attr("axis", &SoftMax::axis)};`
template <class Owner, class T>
constexpr AttributeDeclaration<Owner, T> attr(std::string_view name, T Owner::*member) {
  return {name, member};
}

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

template <class Owner, std::size_t I>
AttributeValue get_attribute(const void* op) {
  constexpr auto declaration = std::get<I>(Owner::attributes);
  const auto& member = static_cast<const Owner*>(op)->*declaration.member;
  return AttributeCodec<std::decay_t<decltype(member)>>::encode(member);
}

template <class Owner, std::size_t I>
Expected<void> set_attribute(void* op, const AttributeValue& value) {
  constexpr auto declaration = std::get<I>(Owner::attributes);
  auto& member = static_cast<Owner*>(op)->*declaration.member;
  MO_ASSIGN(member, AttributeCodec<std::decay_t<decltype(member)>>::decode(value));
  return {};
}

template <class Owner, std::size_t I>
Graph* get_body(const void* op) {
  constexpr auto declaration = std::get<I>(Owner::attributes);
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
    constexpr auto d = std::get<J>(Owner::attributes);
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
  return detail::attribute_infos<Owner>(
      std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(Owner::attributes)>>>{});
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
