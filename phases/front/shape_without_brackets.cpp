#include "phases/front/shape_without_brackets.hpp"

#include <fmt/ranges.h>

#include <vector>

namespace mo::phases {
namespace {

/// A number, "?", "-1", or a range: what dimensions are.
bool is_dimension(std::string_view text) {
  if (text == "?" || text == "-1") return true;
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos && text.front() != '.';
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// The dimensions in "1" and "1x3x64"; none where something else is in it.
std::vector<std::string_view> dimensions_in(std::string_view text) {
  std::vector<std::string_view> parts = split(text, 'x');
  for (std::string_view part : parts)
    if (!is_dimension(part)) return {};
  return parts;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string with_brackets(std::string_view input, const std::function<std::string(const std::string&)>& name_of) {
  if (input.find_first_of("[({") != std::string_view::npos) return {};
  std::vector<std::string> entries;
  bool found = false;
  const std::vector<std::string_view> words = split(input, ',');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = trimmed(words[i]);
    const std::size_t mark = word.find_last_of(":=");
    std::vector<std::string_view> dims;
    if (mark != std::string_view::npos && mark > 0) dims = dimensions_in(trimmed(word.substr(mark + 1)));
    if (dims.empty()) {
      entries.emplace_back(word);
      continue;
    }
    for (; i + 1 < words.size() && is_dimension(trimmed(words[i + 1])); ++i) dims.push_back(trimmed(words[i + 1]));
    if (dims.size() == 1 && word[mark] == ':') {
      entries.emplace_back(word);
      continue;
    }
    entries.push_back(fmt::format("{}[{}]", name_of(std::string(word.substr(0, mark))), fmt::join(dims, ",")));
    found = true;
  }
  return found ? fmt::format("{}", fmt::join(entries, ",")) : std::string();
}

}  // namespace mo::phases
