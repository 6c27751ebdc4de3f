#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace mo {

/// A 32-bit id of its own type: NodeId, ValueId … cannot be confused. Default-constructed: none.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t index = kNone;

  constexpr bool valid() const { return index != kNone; }
  constexpr auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;  ///< an output port
using UseId = Id<struct UseTag>;      ///< an input port
using NameId = Id<struct NameTag>;
using TypeId = Id<struct TypeTag>;
using OriginId = Id<struct OriginTag>;

}  // namespace mo

template <class Tag>
struct std::hash<mo::Id<Tag>> {
  std::size_t operator()(mo::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.index); }
};
