#pragma once

#include <vector>

#include "core/pass/rewriter.hpp"
#include "phases/partial_inference/reshape_sizes.hpp"

namespace mo::phases {

/// A target (i64) for `data`: a constant, or joined of constants and dimensions.
Value target_of(Rewriter& rewriter, const Value& data, const std::vector<TargetElement>& target);

/// A constant vector with the element type of `like`.
Value integers_like(Rewriter& rewriter, const std::vector<std::int64_t>& numbers, const Value& like);

/// `value` with dimension `axis` as large as dimension `like_axis` of `like`: its rows along the axis are equal, so
/// there may be any number of them. An empty value when they are not certainly equal.
Value stretched(Rewriter& rewriter, const Value& value, std::int64_t axis, const Value& like, std::int64_t like_axis);

}  // namespace mo::phases
