#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::transformations {

/// Axes of a tensor of this rank, a computed vector of either sign, as i64 and counted from the front.
Value counted_from_front(Rewriter& rw, const Value& axes, std::size_t rank);

/// Whether `dimension` is one of `axes`, which count from the front: a boolean scalar, for Select.
Value is_among(Rewriter& rw, std::size_t dimension, const Value& axes);

}  // namespace mo::transformations
