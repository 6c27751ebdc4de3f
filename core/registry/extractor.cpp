#include "core/registry/extractor.hpp"

#include <algorithm>

#include "core/diagnostics/exception.hpp"

namespace mo {

std::vector<std::string> FrameworkNode::unread_attributes() const {
  std::vector<std::string> unread;
  for (const auto& item : node_.attributes())
    if (!item.name.starts_with('@') && !item.name.starts_with('_') && !item.value.holds<ElementType>() && !seen_.contains(item.name))
      unread.push_back(item.name);
  return unread;
}

ExtractorTable::Row* ExtractorTable::insert(std::string op, VersionRange range, Extractor extractor) {
  const auto overlaps = [&](const Row& row) { return row.versions.first <= range.last && range.first <= row.versions.last; };
  std::vector<Row>& rows = rows_[op];
  // Whoever can convert what mo only refuses takes nothing away from it.
  const auto replaceable = [&](const Row& row) { return owner_.may_replace(row.owner.name) || (row.refuses && owner_.is_plugin()); };
  const auto clash = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return overlaps(row) && !replaceable(row); });
  if (clash != rows.end()) {
    problems_.push_back(error("MO-CORE-0021", "two extractors of {} overlap: by {} and by {}", op, clash->owner.name, owner_.name)
                            .hint("give each a version range of its own, or let the plugin say that it overrides what is built in"));
    return nullptr;
  }
  // What a plugin takes over, built-in rows lose; they stay responsible for the versions on both sides.
  std::vector<Row> kept;
  for (Row& row : rows) {
    if (!overlaps(row)) {
      kept.push_back(std::move(row));
      continue;
    }
    const VersionRange old = row.versions;
    if (old.first < range.first) kept.push_back({{old.first, range.first - 1}, row.extract, row.owner, row.refuses});
    if (old.last > range.last) kept.push_back({{range.last + 1, old.last}, row.extract, row.owner, row.refuses});
  }
  const bool replaces = std::any_of(rows.begin(), rows.end(), overlaps);
  if (owner_.is_plugin())
    extractor = [inner = std::move(extractor),
                 who = fmt::format("the extractor of {} in plugin {}", op, owner_.name)](const FrameworkNode& node) -> Expected<Op> {
      try {
        return inner(node);
      } catch (...) { return caught_exception(who); }
    };
  kept.push_back({range, std::move(extractor), {owner_.name, replaces}});
  rows = std::move(kept);
  return &rows.back();
}

const ExtractorTable::Row* ExtractorTable::find(std::string_view op, std::int64_t version) const {
  const auto it = rows_.find(op);
  if (it == rows_.end()) return nullptr;
  for (const Row& row : it->second)
    if (row.versions.contains(version)) return &row;
  return nullptr;
}

}  // namespace mo
