#include "core/types/layout.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/diagnostics/assert.hpp"

namespace mo {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kAliases = {
    {{"BATCH", "N"}, {"CHANNEL", "C"}, {"CHANNELS", "C"}, {"HEIGHT", "H"}, {"WIDTH", "W"}, {"DEPTH", "D"}}};

std::size_t named_count(const std::vector<std::string>& names) {
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); }));
}

}  // namespace

std::string Layout::normalized(std::string_view name) {
  std::string upper(name);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');  // toupper would ask the locale (Turkish i)
  for (const auto& [alias, letter] : kAliases)
    if (upper == alias) return std::string(letter);
  return upper;
}

Layout::Layout(std::vector<std::string> names, std::optional<std::size_t> gap) : names_(std::move(names)), gap_(gap) {
  for (std::string& name : names_) name = normalized(name);
}

std::vector<std::string> Layout::names(std::size_t rank) const {
  MO_ASSERT(fits(rank), "a layout for a tensor of another rank");
  std::vector<std::string> all = names_;
  if (gap_) all.insert(all.begin() + static_cast<std::ptrdiff_t>(*gap_), rank - names_.size(), std::string());
  return all;
}

std::optional<std::size_t> Layout::axis(std::string_view name, std::size_t rank) const {
  if (!fits(rank)) return std::nullopt;
  const std::vector<std::string> all = names(rank);
  const auto found = std::find(all.begin(), all.end(), name);
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

std::string Layout::to_string() const {
  if (names_.empty() && !gap_) return "**SCALAR**";
  std::vector<std::string> parts = names_;
  for (std::string& part : parts)
    if (part.empty()) part = "?";
  if (gap_) parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(*gap_), "...");
  return fmt::format("[{}]", fmt::join(parts, ","));
}

std::optional<std::vector<std::int64_t>> order_between(const std::vector<std::string>& from,
                                                       const std::vector<std::string>& to) {
  MO_ASSERT(from.size() == to.size(), "layouts of tensors of different ranks");
  const std::size_t rank = from.size();
  std::vector<std::int64_t> order(rank, -1);
  std::vector<bool> taken(rank);
  std::size_t matched = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (to[i].empty()) continue;
    const auto found = std::find(from.begin(), from.end(), to[i]);
    if (found == from.end()) continue;
    order[i] = found - from.begin();
    taken[static_cast<std::size_t>(order[i])] = true;
    ++matched;
  }
  if (matched < std::min(named_count(from), named_count(to))) return std::nullopt;
  std::size_t next = 0;
  for (std::int64_t& place : order) {
    if (place >= 0) continue;
    while (taken[next]) ++next;
    place = static_cast<std::int64_t>(next++);
  }
  return order;
}

}  // namespace mo
