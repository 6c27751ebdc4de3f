#include "frontends/caffe/net_parameter/text_edits.hpp"

#include <algorithm>

namespace mo::caffe {
namespace {

/// The message that the last name of a path is a field of, and that name; no message when `makes` does not and one is
/// missing.
std::pair<TextMessage*, std::string_view> parent_of(TextMessage& message, std::string_view path, bool makes) {
  TextMessage* at = &message;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos && at; dot = path.find('.')) {
    TextMessage* next = last_message(*at, path.substr(0, dot));
    if (!next && makes) {
      add_value(*at, path.substr(0, dot), std::make_unique<TextMessage>());
      next = last_message(*at, path.substr(0, dot));
    }
    at = next;
    path.remove_prefix(dot + 1);
  }
  return {at, path};
}

template <class T>
std::vector<TextValue> listed(const std::vector<T>& list) {
  return std::vector<TextValue>(list.begin(), list.end());
}

}  // namespace

std::size_t value_count(const TextMessage& message, std::string_view name) {
  std::size_t count = 0;
  for (const TextField& field : message.fields)
    if (field.name == name) count += field.values.size();
  return count;
}

TextMessage* last_message(TextMessage& message, std::string_view name) {
  TextMessage* found = nullptr;
  for (TextField& field : message.fields) {
    if (field.name != name) continue;
    for (TextValue& value : field.values)
      if (auto* const inner = std::get_if<std::unique_ptr<TextMessage>>(&value)) found = inner->get();
  }
  return found;
}

void add_value(TextMessage& message, std::string_view name, TextValue value) {
  if (message.fields.empty() || message.fields.back().name != name)
    message.fields.push_back({std::string(name), {}, {}, {}});
  message.fields.back().values.push_back(std::move(value));
  message.fields.back().places.emplace_back();
}

void set_values(TextMessage& message, std::string_view name, std::vector<TextValue> values) {
  const auto is_named = [&](const TextField& field) { return field.name == name; };
  auto first = std::find_if(message.fields.begin(), message.fields.end(), is_named);
  if (first == message.fields.end()) first = message.fields.insert(first, TextField{std::string(name), {}, {}, {}});
  first->places.assign(values.size(), first->place);
  first->values = std::move(values);
  const auto behind = first->values.empty() ? first : std::next(first);
  message.fields.erase(std::remove_if(behind, message.fields.end(), is_named), message.fields.end());
}

void set_path(TextMessage& message, std::string_view path, std::vector<TextValue> values) {
  const auto [parent, name] = parent_of(message, path, true);
  const auto old = std::find_if(parent->fields.begin(), parent->fields.end(),
                                [&, n = name](const TextField& field) { return field.name == n; });
  const bool was_word =
      old != parent->fields.end() && !old->values.empty() && std::holds_alternative<Word>(old->values.front());
  if (was_word)
    for (TextValue& value : values)
      if (const auto* text = std::get_if<std::string>(&value)) value = Word{*text};
  set_values(*parent, name, std::move(values));
}

void erase_path(TextMessage& message, std::string_view path) {
  const auto [parent, name] = parent_of(message, path, false);
  if (parent) set_values(*parent, name, {});
}

std::optional<std::vector<TextValue>> text_values(const AttributeValue& value) {
  std::vector<TextValue> values;
  if (const auto* integer = value.get_if<std::int64_t>())
    values.emplace_back(*integer);
  else if (const auto* real = value.get_if<double>())
    values.emplace_back(*real);
  else if (const auto* flag = value.get_if<bool>())
    values.emplace_back(*flag);
  else if (const auto* text = value.get_if<std::string>())
    values.emplace_back(*text);
  else if (const auto* integers = value.get_if<std::vector<std::int64_t>>())
    values = listed(*integers);
  else if (const auto* reals = value.get_if<std::vector<double>>())
    values = listed(*reals);
  else if (const auto* texts = value.get_if<std::vector<std::string>>())
    values = listed(*texts);
  else
    return std::nullopt;
  return values;
}

}  // namespace mo::caffe
