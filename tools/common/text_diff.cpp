#include "tools/common/text_diff.hpp"

#include <algorithm>
#include <map>
#include <span>
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

/// Without the numbers after "%": a node that vanishes renumbers all that follow.
std::string without_numbers(std::string_view line) {
  std::string key;
  for (std::size_t i = 0; i < line.size(); ++i) {
    key += line[i];
    if (line[i] == '%')
      while (i + 1 < line.size() && line[i + 1] >= '0' && line[i + 1] <= '9') ++i;
  }
  return key;
}

/// Lines as numbers: equal ones have the same.
class LineNumbers {
 public:
  std::vector<int> of(const std::vector<std::string_view>& lines) {
    std::vector<int> numbers;
    for (const std::string_view line : lines)
      numbers.push_back(numbers_.try_emplace(without_numbers(line), static_cast<int>(numbers_.size())).first->second);
    return numbers;
  }

 private:
  std::map<std::string, int> numbers_;
};

/// A line that goes (by its place in the old text) or comes (by its place in the new one).
struct Edit {
  bool comes = false;
  std::size_t line = 0;
};

/// A graph of which more lines change is another one.
constexpr int kMostEdits = 2000;

/// The fewest edits, by Myers' greedy algorithm: O(lines * edits). Where there are too many, all lines go and come.
std::vector<Edit> fewest_edits(std::span<const int> before, std::span<const int> after) {
  const int n = static_cast<int>(before.size());
  const int m = static_cast<int>(after.size());
  const int most = std::min(n + m, kMostEdits);
  // How far down the old text each diagonal (old place - new place) is reached with d edits; `reached[d]` has those
  // from -d to d.
  std::vector<std::vector<int>> reached;
  const auto step_down = [&](int d, int k) {  // whether diagonal k is best reached by a line that comes
    const std::vector<int>& last = reached[static_cast<std::size_t>(d - 1)];
    return k == -d || (k != d && (k - 1 < -(d - 1) ? -1 : last[static_cast<std::size_t>(k - 1 + d - 1)]) <
                                     (k + 1 > d - 1 ? -1 : last[static_cast<std::size_t>(k + 1 + d - 1)]));
  };
  const auto start_of = [&](int d, int k) {
    const std::vector<int>& last = reached[static_cast<std::size_t>(d - 1)];
    return step_down(d, k) ? last[static_cast<std::size_t>(k + 1 + d - 1)]
                           : last[static_cast<std::size_t>(k - 1 + d - 1)] + 1;
  };
  bool done = false;
  for (int d = 0; !done && d <= most; ++d) {
    std::vector<int> now(static_cast<std::size_t>(2 * d + 1), -1);
    for (int k = -d; k <= d; k += 2) {
      int x = d == 0 ? 0 : start_of(d, k);
      while (x < n && x - k < m && x - k >= 0 &&
             before[static_cast<std::size_t>(x)] == after[static_cast<std::size_t>(x - k)])
        ++x;
      now[static_cast<std::size_t>(k + d)] = x;
      done = done || (x >= n && x - k >= m);
    }
    reached.push_back(std::move(now));
  }
  std::vector<Edit> edits;
  if (!done) {
    for (std::size_t i = 0; i < before.size(); ++i) edits.push_back({false, i});
    for (std::size_t i = 0; i < after.size(); ++i) edits.push_back({true, i});
    return edits;
  }
  int k = n - m;
  for (int left = static_cast<int>(reached.size()) - 1; left > 0; --left) {
    const int x = start_of(left, k);
    const bool comes = step_down(left, k);
    edits.push_back({comes, static_cast<std::size_t>(comes ? x - k - 1 : x - 1)});
    k += comes ? 1 : -1;
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

}  // namespace

std::string text_diff(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  LineNumbers numbers;
  const std::vector<int> old_numbers = numbers.of(old_lines);
  const std::vector<int> new_numbers = numbers.of(new_lines);
  std::string text;
  for (const Edit& edit : fewest_edits(old_numbers, new_numbers))
    text.append(edit.comes ? "+ " : "- ").append((edit.comes ? new_lines : old_lines)[edit.line]) += '\n';
  return text;
}

}  // namespace mo::tools
