#pragma once

#include "core/rewrite.hpp"

/// Reshape, Squeeze and Unsqueeze as one, for the rules that take chains of them together.
namespace mo::transformations {

bool is_reshape_like(const Node& node);

/// Squeeze or Unsqueeze `node` whose result has a known rank above 0 and at most one unknown dimension -> Reshape of
/// what the reshape-like op before reads (of its own input when there is none), or nothing when that has the shape
/// already. Declined otherwise.
Replacement as_reshape(const Node& node, Rewriter& rw);
/// Whether `as_reshape` is for this result: then the other rules for Squeeze and Unsqueeze are not.
bool is_for_reshape(const PartialShape& result);

/// The dimensions of 1 of `wide` without which it is `narrow`; fewer when that is unknown. Dimensions are compared in
/// turn.
std::vector<std::int64_t> extra_ones(const PartialShape& wide, const PartialShape& narrow);

/// A squeeze (or unsqueeze) after another reshape-like op -> one Squeeze or Unsqueeze of that op's input, where the
/// shapes determine its axes.
Replacement as_one(const Node& node, Rewriter& rw);

}  // namespace mo::transformations
