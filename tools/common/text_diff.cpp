#include "tools/common/text_diff.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace mo::tools {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Without the numbers behind "%": a node that vanishes renumbers all that follow.
std::string without_numbers(std::string_view line) {
  std::string key;
  for (std::size_t i = 0; i < line.size(); ++i) {
    key += line[i];
    if (line[i] == '%')
      while (i + 1 < line.size() && line[i + 1] >= '0' && line[i + 1] <= '9') ++i;
  }
  return key;
}

}  // namespace

std::string text_diff(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  std::map<std::string, int> balance;
  for (const std::string_view line : old_lines) --balance[without_numbers(line)];
  for (const std::string_view line : new_lines) ++balance[without_numbers(line)];
  std::string text;
  for (const std::string_view line : old_lines)
    if (int& left = balance[without_numbers(line)]; left < 0) {
      ++left;
      text.append("- ").append(line) += '\n';
    }
  for (const std::string_view line : new_lines)
    if (int& left = balance[without_numbers(line)]; left > 0) {
      --left;
      text.append("+ ").append(line) += '\n';
    }
  return text;
}

}  // namespace mo::tools
