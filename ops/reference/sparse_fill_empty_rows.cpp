#include "ops/reference/sparse_fill_empty_rows.hpp"

#include <algorithm>
#include <array>

namespace mo::ops::reference {

FilledRows filled_rows(std::int64_t rows, const std::vector<std::int64_t>& places) {
  FilledRows filled;
  filled.is_empty.assign(static_cast<std::size_t>(rows), true);
  std::vector<std::array<std::int64_t, 3>> elements;  // row, column, source
  const auto given = static_cast<std::int64_t>(places.size() / 2);
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
    elements.push_back({places[i], places[i + 1], static_cast<std::int64_t>(i / 2)});
    filled.is_empty[static_cast<std::size_t>(places[i])] = false;
  }
  for (std::int64_t row = 0; row < rows; ++row)
    if (filled.is_empty[static_cast<std::size_t>(row)]) elements.push_back({row, 0, given});
  std::sort(elements.begin(), elements.end());
  for (const auto& [row, column, source] : elements) {
    filled.places.insert(filled.places.end(), {row, column});
    filled.sources.push_back(source);
  }
  return filled;
}

}  // namespace mo::ops::reference
