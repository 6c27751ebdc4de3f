#include "core/support/nearest.hpp"

#include <algorithm>

namespace mo {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

namespace {

/// The edit distance when it is at most `farthest`, else something larger. Cells that are further than that from the
/// diagonal cannot be part of a way that short. `work` counts the cells that were computed.
std::size_t bounded_distance(std::string_view a, std::string_view b, std::size_t farthest, std::size_t& work) {
  const std::size_t longest = std::max(a.size(), b.size());
  if (longest - std::min(a.size(), b.size()) > farthest) return farthest + 1;
  farthest = std::min(farthest, longest);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > farthest ? i - farthest : 1;
    const std::size_t last = std::min(b.size(), i + farthest);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? i : farthest + 1;
    std::size_t best = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t above = j < i + farthest ? row[j] : farthest + 1;
      const std::size_t cell = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = row[j];
      row[j] = cell;
      best = std::min(best, cell);
    }
    work += last + 1 - first;
    if (best > farthest) return farthest + 1;
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t farthest,
                    std::size_t limit) {
  constexpr std::size_t kLetters = 200;
  constexpr std::size_t kMostWork = 20'000'000;
  const std::string* best = nullptr;
  std::size_t work = 0;
  const std::string_view shown = word.substr(0, kLetters);
  for (std::size_t i = 0; i < candidates.size() && i < limit && work < kMostWork; ++i) {
    const std::size_t distance =
        bounded_distance(shown, std::string_view(candidates[i]).substr(0, kLetters), farthest, work);
    if (distance > farthest) continue;
    best = &candidates[i];
    if (distance == 0) break;
    farthest = distance - 1;  // the next one has to be closer
  }
  return best ? *best : std::string();
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string close = nearest(word, candidates);
  return close.empty() ? std::string() : "did you mean '" + close + "'? ";
}

}  // namespace mo
