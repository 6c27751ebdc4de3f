#pragma once

#include <cstdint>
#include <vector>

namespace mo::ops::reference {

/// The elements of a sparse matrix that has none without elements.
struct FilledRows {
  std::vector<std::int64_t> places;   ///< row and column of each, in row-major order
  std::vector<std::int64_t> sources;  ///< which value each has; the number of values: the one for empty rows
  std::vector<bool> is_empty;         ///< of each row: it had no element
};

/// `places` are row and column of each value, all inside of the matrix. Values at the same place keep their order.
FilledRows filled_rows(std::int64_t rows, const std::vector<std::int64_t>& places);

}  // namespace mo::ops::reference
