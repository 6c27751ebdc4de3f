#include "core/graph/name_sets.hpp"

#include <absl/container/inlined_vector.h>

#include "core/diagnostics/assert.hpp"
#include "core/support/index_table.hpp"

namespace mo {

NameId NameSets::first(NameSetId set) const { return is_union(set) ? unions_[place_of(set)].first : NameId{set.index}; }

NameSetId NameSets::unite(NameSetId a, NameSetId b) {
  if (!a.valid() || a == b) return b;
  if (!b.valid()) return a;
  // Passes give a node the same sources again, most often those that it got last.
  if (is_union(a) && (unions_[place_of(a)].left == b || unions_[place_of(a)].right == b)) return a;
  if (is_union(b) && unions_[place_of(b)].left == a) return b;
  MO_ASSERT(unions_.size() < NameSetId::kNone - kUnions, "the table of name sets is full");
  unions_.push_back({a, b, first(a)});
  return {kUnions + static_cast<std::uint32_t>(unions_.size() - 1)};
}

std::vector<NameId> NameSets::names(NameSetId set) const {
  if (!set.valid()) return {};
  if (!is_union(set)) return {NameId{set.index}};
  std::vector<NameId> found;
  // Shared parts are walked once: a set that was united with itself many times over has more paths than parts.
  IndexTable seen;
  const auto is_first = [&](NameSetId part) {
    if (seen.find(part.index) != IndexTable::kNone) return false;
    seen.make_room();
    seen.put(part.index, part.index);
    return true;
  };
  absl::InlinedVector<NameSetId, 16> open{set};
  while (!open.empty()) {
    const NameSetId part = open.back();
    open.pop_back();
    if (!is_first(part)) continue;
    if (!is_union(part)) {
      found.push_back(NameId{part.index});
      continue;
    }
    open.push_back(unions_[place_of(part)].right);
    open.push_back(unions_[place_of(part)].left);
  }
  return found;
}

void NameSets::keep_only(std::span<NameSetId* const> used) {
  std::vector<bool> needed(unions_.size());
  const auto need = [&](NameSetId set) {
    if (is_union(set)) needed[place_of(set)] = true;
  };
  for (const NameSetId* const set : used) need(*set);
  for (std::size_t i = unions_.size(); i-- > 0;) {
    if (!needed[i]) continue;
    need(unions_[i].left);
    need(unions_[i].right);
  }
  std::vector<std::uint32_t> place(unions_.size());
  const auto moved = [&](NameSetId set) { return is_union(set) ? NameSetId{kUnions + place[place_of(set)]} : set; };
  std::vector<Union> kept;
  for (std::size_t i = 0; i < unions_.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back({moved(unions_[i].left), moved(unions_[i].right), unions_[i].first});
  }
  for (NameSetId* const set : used) *set = moved(*set);
  unions_ = std::move(kept);
}

}  // namespace mo
