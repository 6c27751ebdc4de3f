#include "core/command_line/option_row.hpp"

#include <algorithm>

namespace mo {

std::string normalized(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> found;
  while (!words.empty()) {
    const std::size_t space = std::min(words.find(' '), words.size());
    if (space != 0) found.push_back(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
  return found;
}

bool is_called(const OptionRow& row, std::string_view name) {
  if (normalized(row.name) == name) return true;
  return std::ranges::any_of(split_words(row.other_names),
                             [&](std::string_view other) { return normalized(other) == name; });
}

}  // namespace mo
