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

std::string nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t farthest, std::size_t limit) {
  std::string best;
  std::size_t best_distance = farthest;
  bool found = false;
  const std::string_view shown = word.substr(0, 200);
  for (std::size_t i = 0; i < candidates.size() && i < limit; ++i) {
    const std::size_t distance = edit_distance(shown, std::string_view(candidates[i]).substr(0, 200));
    if (distance < best_distance || (!found && distance == best_distance)) {
      found = true;
      best_distance = distance;
      best = candidates[i];
    }
  }
  return best;
}

}  // namespace mo
