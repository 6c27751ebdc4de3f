#pragma once

#include "core/rewrite.hpp"
#include "ops/split.hpp"

namespace mo::transformations {

inline bool is_split(const Node& node) { return node.is<ops::Split>() || node.is<ops::VariadicSplit>(); }

/// Returns the axis of a Split or VariadicSplit, counted from the front, where it and the rank are known.
std::optional<std::int64_t> split_axis(const Node& split);

/// Returns a Gather of the elements of output `index` of a Split or VariadicSplit. Empty when the axis or the length of
/// an output up to that one is unknown, or when the output is longer than kMostKnownNumbers.
Value gathered_part(Rewriter& rw, const Node& split, std::size_t index);

}  // namespace mo::transformations
