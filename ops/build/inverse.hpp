#pragma once

#include "ops/build/term.hpp"

/// Square matrices as plain arithmetic: an IR has neither determinants nor (before op set 14) inverses.
namespace mo::build {

/// One step of an elimination with the largest pivot, on all matrices [B, n, m] of a batch at once. No rows change
/// places: `open` [B, n] is 1 for rows that were no pivot yet.
struct Pivot {
  Term column;  ///< of number `step`, [B, n]
  Term best;    ///< which row of each matrix is the pivot, i64 [B, 1]
  Term chosen;  ///< 1 for it, else 0: [B, n]
  Term row;     ///< its elements, [B, m]
  Term value;   ///< its element in the column, [B]
};
Pivot next_pivot(const Term& matrix, const Term& open, const Value& step);

/// The inverse of each of the matrices [..., n, n]; for up to 4 rows (0: not known) by minors, else by n steps of an
/// elimination. What has no inverse gives infinite numbers or NaN.
Value inverse(Rewriter& rw, const Value& x, std::int64_t rows);

}  // namespace mo::build
