#include "core/registry/operator_table.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/diagnostics/plugin_call.hpp"

namespace mo {

Body FrameworkNode::take_body(std::string_view name) const {
  seen_.insert(std::string(name));
  AttributeValue* const value = node_.change_attribute(name);
  if (Body* body = value ? value->get_if<Body>() : nullptr) return std::exchange(*body, Body());
  if (!value || value->is_none())
    fail("MO-FRONT-0004", fmt::format("attribute {} is missing", name));
  else
    fail("MO-FRONT-0003", fmt::format("attribute {}: {} instead of a graph", name, value->kind_name()));
  return {};
}

const AttributeMap& FrameworkNode::all_attributes() const {
  static const AttributeMap none;
  if (!node_.op_type().dynamic) return none;
  const auto& attributes = *static_cast<const AttributeMap*>(node_.payload());
  for (const auto& item : attributes) seen_.insert(item.name);
  return attributes;
}

void FrameworkNode::ignore_if(const std::function<bool(const std::string&, const AttributeValue&)>& matches,
                              const char* reason) const {
  if (!node_.op_type().dynamic) return;
  for (const auto& item : *static_cast<const AttributeMap*>(node_.payload()))
    if (matches(item.name, item.value)) ignored_.insert_or_assign(item.name, reason);
}

std::vector<std::string> FrameworkNode::unread_attributes() const {
  std::vector<std::string> unread;
  if (!node_.op_type().dynamic) return unread;
  for (const auto& item : *static_cast<const AttributeMap*>(node_.payload()))
    if (!item.name.starts_with('@') && !seen_.contains(item.name) && !ignored_.contains(item.name))
      unread.push_back(item.name);
  return unread;
}

std::vector<std::size_t> FrameworkNode::unread_inputs() const {
  std::vector<std::size_t> unread;
  for (std::size_t i = 0; !counts_inputs_ && i < node_.in_port_count(); ++i)
    if (!seen_inputs_.contains(i) && node_.input(i)) unread.push_back(i);
  return unread;
}

Expected<void> FrameworkNode::expect_inputs(std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i)
    if (i >= node_.in_port_count() || !node_.input(i))
      return error("MO-FRONT-0006", "input {} is missing: the operator needs {} of them", i, count)
          .hint("the node is corrupt, or it was cut off from its input; export the model again");
  return {};
}

OperatorTable::Row* OperatorTable::insert(const std::string& op, Row row) {
  const VersionRange range = row.versions;
  const auto overlaps = [&](const Row& other) {
    return other.versions.first <= range.last && range.first <= other.versions.last;
  };
  std::vector<Row>& rows = rows_[op];
  // An author may convert what mo only refuses.
  const auto replaceable = [&](const Row& other) {
    return owner_.may_replace(other.owner.name) || (other.refuses && owner_.is_plugin());
  };
  const auto clash =
      std::find_if(rows.begin(), rows.end(), [&](const Row& other) { return overlaps(other) && !replaceable(other); });
  if (clash != rows.end()) {
    problems_.push_back(
        error("MO-CORE-0021", "operator {} is registered twice for the same versions: by {} and by {}", op,
              clash->owner.name, owner_.name)
            .hint("give each a separate version range, or let the plugin declare that it overrides what is built in"));
    return nullptr;
  }
  // What a plugin takes over, built-in rows lose; they stay responsible for the versions on both sides.
  const bool takes_over = std::any_of(rows.begin(), rows.end(), overlaps);
  std::vector<Row> kept;
  if (!takes_over) kept = std::exchange(rows, {});
  for (Row& other : rows) {
    if (!overlaps(other)) {
      kept.push_back(std::move(other));
      continue;
    }
    Row part = other;
    if (other.versions.first < range.first) {
      part.versions = {other.versions.first, range.first - 1};
      kept.push_back(part);
    }
    if (other.versions.last > range.last) {
      part.versions = {range.last + 1, other.versions.last};
      kept.push_back(std::move(part));
    }
  }
  if (common_ && row.extract)
    row.extract = [common = common_, inner = std::move(row.extract)](const FrameworkNode& node) {
      common(node);
      return inner(node);
    };
  if (common_ && row.translate)
    row.translate = [common = common_, inner = std::move(row.translate)](const FrameworkNode& node, Rewriter& rw) {
      common(node);
      return inner(node, rw);
    };
  row.owner = {owner_.name, takes_over};
  kept.push_back(std::move(row));
  rows = std::move(kept);
  return &rows.back();
}

void OperatorTable::extract(std::string op, VersionRange range, Extractor extractor) {
  if (owner_.is_plugin())
    extractor = [inner = std::move(extractor), who = fmt::format("the extractor of {} in plugin {}", op, owner_.name)](
                    const FrameworkNode& node) -> Expected<Op> {
      return call_plugin(who, [&] { return inner(node); });
    };
  insert(op, {range, std::move(extractor), {}, {}, {}});
}

void OperatorTable::translate(std::string op, VersionRange range, Translator translator, OutputCount outputs) {
  if (owner_.is_plugin())
    translator = [inner = std::move(translator),
                  who = fmt::format("the translator of {} in plugin {}", op, owner_.name)](
                     const FrameworkNode& node, Rewriter& rw) -> Replacement {
      const auto made = call_plugin(who, [&]() -> Expected<Replacement> {
        Replacement replacement = inner(node, rw);
        if (replacement.error()) return *std::move(replacement.error());
        return replacement;
      });
      return made ? *made : Replacement(made.error());
    };
  insert(op, {range, {}, std::move(translator), std::move(outputs), {}});
}

void OperatorTable::refuse(std::string op, VersionRange range, Extractor extractor) {
  if (Row* row = insert(op, {range, std::move(extractor), {}, {}, {}})) row->refuses = true;
}

void OperatorTable::take_apart(std::string op, std::vector<std::string> attributes, Translator left_over) {
  Row* const row = insert(op, {VersionRange{}, {}, std::move(left_over), {}, {}});
  if (!row) return;
  row->know_attributes = [common = common_, attributes = std::move(attributes)](const FrameworkNode& node) {
    if (common) common(node);
    for (const std::string& name : attributes)
      node.ignore({name}, "read by the pass that takes the structure apart, where it matters");
  };
}

void OperatorTable::promise(std::span<const Part<OperatorTable>> parts, std::string_view outline) {
  parts_ = parts;
  called_.resize(parts.size());
  outline_ = outline;
}

void OperatorTable::call(std::size_t part) const {
  if (called_[part]) return;
  called_[part] = true;
  // A part may keep the table that it adds to, to look up other operators later, so that it has to be this one. Tables
  // belong to a Registry and are never constants.
  auto& self = const_cast<OperatorTable&>(*this);
  const Owner asking = std::exchange(self.owner_, Owner());  // promised rows are mo's own, also when a plugin asks
  parts_[part].add(self);
  self.owner_ = asking;
}

void OperatorTable::call_parts_of(std::string_view op) const {
  // By bisection for the first line of the op: between `first` and `last`, which are begins of lines.
  std::size_t first = 0;
  std::size_t last = outline_.size();
  const auto op_at = [&](std::size_t line) { return outline_.substr(line, outline_.find('\t', line) - line); };
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    const std::size_t newline = middle == first ? std::string_view::npos : outline_.rfind('\n', middle - 1);
    const std::size_t line = newline == std::string_view::npos || newline < first ? first : newline + 1;
    if (op_at(line) < op)
      first = outline_.find('\n', line) + 1;
    else
      last = line;
  }
  for (; first < outline_.size() && op_at(first) == op; first = outline_.find('\n', first) + 1) {
    std::size_t part = 0;
    std::from_chars(outline_.data() + first + op.size() + 1, outline_.data() + outline_.size(), part);
    call(part);
  }
}

const std::map<std::string, std::vector<OperatorTable::Row>, std::less<>>& OperatorTable::rows() const {
  for (std::size_t part = 0; part < parts_.size(); ++part) call(part);
  return rows_;
}

const OperatorTable::Row* OperatorTable::find(std::string_view op, std::int64_t version) const {
  if (!outline_.empty()) call_parts_of(op);
  const auto it = rows_.find(op);
  if (it == rows_.end()) return nullptr;
  for (const Row& row : it->second)
    if (row.versions.contains(version)) return &row;
  return nullptr;
}

}  // namespace mo
