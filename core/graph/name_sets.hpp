#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/ids.hpp"

namespace mo {

/// An immutable set of names; none: the empty set. Belongs to the NameSets that made it.
using NameSetId = Id<struct NameSetTag>;

/// Sets of names that only ever grow by union: what a node was made of, what a tensor is called. Sets share their
/// parts: a union is a record that refers to two sets, whatever their sizes, and a set of one name is the id of that
/// name and takes no memory. A chain of fusions, each of which unites what the one before left, so costs as much as it
/// has links; who reads a set pays for its size.
class NameSets {
 public:
  static NameSetId of(NameId name) { return {name.index}; }
  /// The names of `a`, then those of `b`. O(1).
  NameSetId unite(NameSetId a, NameSetId b);
  /// Each name once, in the order in which they came. O(names and unions below).
  std::vector<NameId> names(NameSetId set) const;
  /// The name that came first; none for the empty set. O(1).
  NameId first(NameSetId set) const;
  /// The only name of a set that was made of one; none for others. O(1).
  static NameId single(NameSetId set) { return is_union(set) ? NameId{} : NameId{set.index}; }
  /// Whether the set is a union, which has a record here.
  static bool is_union(NameSetId set) { return set.valid() && set.index >= kUnions; }
  /// Drops all unions but those at `used` and what they refer to, and gives these new ids, there as well. O(unions +
  /// `used`).
  void keep_only(std::span<NameSetId* const> used);
  std::size_t bytes() const { return unions_.capacity() * sizeof(Union); }

 private:
  struct Union {
    NameSetId left;
    NameSetId right;
    NameId first;
  };
  /// Ids from here on are unions, those below are names.
  static constexpr std::uint32_t kUnions = std::uint32_t{1} << 31;
  static std::uint32_t place_of(NameSetId set) { return set.index - kUnions; }

  std::vector<Union> unions_;  ///< what a union refers to lies before it
};

}  // namespace mo
