#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::build {

/// A tensor whose dimensions from some axis on are one, the last one. `matrix` is the tensor itself where that is
/// certain to be so already.
struct Rows {
  Value original;
  Value matrix;

  /// A result of the shape of `matrix` in the shape of the original.
  Value back(Rewriter& rw, const Value& result) const;
};

/// `x` with the dimensions from `axis` on (negative: counted from the back) flattened into one; of size 1 when `axis`
/// is the rank. Error MO-FRONT-0011 for an axis that no tensor has.
Expected<Rows> rows_of(const Node& node, Rewriter& rw, const Value& x, std::int64_t axis);

}  // namespace mo::build
