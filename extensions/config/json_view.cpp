#include "extensions/config/json_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/nearest.hpp"

namespace mo::config {
namespace {

std::string member_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

bool all_of_kind(const std::vector<JsonValue>& items, JsonKind kind) {
  return std::all_of(items.begin(), items.end(), [&](const JsonValue& item) {
    return item.kind == kind || (kind == JsonKind::real && item.kind == JsonKind::integer);
  });
}

/// The depth is that of the document.
AttributeValue attribute_of(const JsonValue& value) {
  switch (value.kind) {
    case JsonKind::null: return {};
    case JsonKind::boolean: return value.boolean;
    case JsonKind::integer: return value.integer;
    case JsonKind::real: return value.real;
    case JsonKind::text: return value.text;
    case JsonKind::object: {
      AttributeMap map;
      for (const JsonValue::Member& member : value.members) map.set(member.key, attribute_of(member.value));
      return map;
    }
    case JsonKind::array: break;
  }
  if (all_of_kind(value.items, JsonKind::integer)) {
    std::vector<std::int64_t> integers;
    for (const JsonValue& item : value.items) integers.push_back(item.integer);
    return integers;
  }
  if (all_of_kind(value.items, JsonKind::real)) {
    std::vector<double> reals;
    for (const JsonValue& item : value.items) reals.push_back(item.real);
    return reals;
  }
  if (all_of_kind(value.items, JsonKind::text)) {
    std::vector<std::string> texts;
    for (const JsonValue& item : value.items) texts.push_back(item.text);
    return texts;
  }
  AttributeList list;
  for (const JsonValue& item : value.items) list.push_back(attribute_of(item));
  return list;
}

}  // namespace

void JsonProblems::add(Diagnostic problem, Place place, std::string_view key_path) {
  if (items_.size() == kListed) {
    ++more_;
    return;
  }
  if (!key_path.empty()) problem.message = fmt::format("{}: {}", key_path, problem.message);
  items_.push_back(std::move(problem).in_file(at(file_, place)));
}

Expected<void> JsonProblems::finish() {
  if (items_.empty()) return {};
  if (more_ > 0) items_.back().notes.push_back(fmt::format("and {} more problems in this file", more_));
  return Error(std::move(items_));
}

bool JsonView::expect(JsonKind kind) const {
  if (value_->kind == kind || (kind == JsonKind::real && value_->kind == JsonKind::integer)) return true;
  problem(error("MO-CONFIG-0003", "this must be {}, and it is {}", to_string(kind), to_string(value_->kind))
              .hint("the schemas in docs/schemas define the value of each key"));
  return false;
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  const JsonValue* member = value_->kind == JsonKind::object ? value_->find(key) : nullptr;
  if (!member) return std::nullopt;
  return JsonView(*member, *problems_, member_path(path_, key));
}

std::optional<JsonView> JsonView::require(std::string_view key) const {
  if (!expect(JsonKind::object)) return std::nullopt;
  auto found = find(key);
  if (!found)
    problem(error("MO-CONFIG-0004", "the key \"{}\" is missing", key)
                .hint("the schemas in docs/schemas define the required keys"));
  return found;
}

void JsonView::allow_keys(std::initializer_list<std::string_view> keys) const {
  if (value_->kind != JsonKind::object) return;
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const JsonValue::Member& member : value_->members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::string near = nearest(member.key, known, std::max<std::size_t>(2, member.key.size() / 3));
    Diagnostic unknown = error("MO-CONFIG-0005", "this key is not known");
    unknown = near.empty() ? std::move(unknown).hint("known here: {}", fmt::join(known, ", "))
                           : std::move(unknown).hint("did you mean \"{}\"?", near);
    problems_->add(std::move(unknown), member.place, member_path(path_, member.key));
  }
}

std::vector<JsonView> JsonView::items() const {
  std::vector<JsonView> views;
  if (!expect(JsonKind::array)) return views;
  for (std::size_t i = 0; i < value_->items.size(); ++i)
    views.emplace_back(value_->items[i], *problems_, fmt::format("{}[{}]", path_, i));
  return views;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  std::vector<std::pair<std::string, JsonView>> views;
  if (!expect(JsonKind::object)) return views;
  for (const JsonValue::Member& member : value_->members)
    views.emplace_back(member.key, JsonView(member.value, *problems_, member_path(path_, member.key)));
  return views;
}

std::optional<std::string> JsonView::text() const {
  return expect(JsonKind::text) ? std::optional(value_->text) : std::nullopt;
}

std::optional<std::int64_t> JsonView::integer() const {
  return expect(JsonKind::integer) ? std::optional(value_->integer) : std::nullopt;
}

std::optional<double> JsonView::real() const {
  return expect(JsonKind::real) ? std::optional(value_->real) : std::nullopt;
}

std::optional<bool> JsonView::boolean() const {
  return expect(JsonKind::boolean) ? std::optional(value_->boolean) : std::nullopt;
}

std::optional<std::vector<std::string>> JsonView::texts() const {
  if (!expect(JsonKind::array)) return std::nullopt;
  std::vector<std::string> texts;
  bool good = true;
  for (const JsonView& item : items()) {
    const auto text = item.text();
    good = good && text;
    if (text) texts.push_back(*text);
  }
  return good ? std::optional(std::move(texts)) : std::nullopt;
}

std::optional<std::string> JsonView::one_of(std::initializer_list<std::string_view> choices) const {
  auto found = text();
  if (!found || std::find(choices.begin(), choices.end(), *found) != choices.end()) return found;
  const std::vector<std::string> known(choices.begin(), choices.end());
  problem(error("MO-CONFIG-0006", "\"{}\" is not known here", *found).hint("use one of: {}", fmt::join(known, ", ")));
  return std::nullopt;
}

AttributeValue JsonView::attribute() const { return attribute_of(*value_); }

AttributeMap to_attributes(const JsonView& object) {
  AttributeMap map;
  for (const auto& [key, view] : object.members()) map.set(key, view.attribute());
  return map;
}

}  // namespace mo::config
