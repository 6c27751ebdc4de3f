#pragma once

#include "ops/elementwise_binary.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

/// a / b -> a * b^-1 (computed when b is a constant), and b^-1 alone when a is 1. Declines for integers, and where
/// `MarkPrecisionSensitiveDivides` left its mark.
Replacement by_reciprocal(const Node& node, const ops::Divide& op, Rewriter& rw);

}  // namespace mo::transformations
