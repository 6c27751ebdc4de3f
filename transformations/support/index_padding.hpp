#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/pad.hpp"

namespace mo::transformations {

/// Pad(data, begin, end, value) in ops of op set 4 or older, for amounts of any sign, which may be computed: a Gather
/// along each dimension, and with the mode constant a Select of `value` (a scalar; empty: 0). Returns an empty value if
/// the rank of the data is unknown.
Value padded_by_indices(Rewriter& rw, const Value& data, const Value& begin, const Value& end, const Value& value,
                        ops::PadMode mode);

}  // namespace mo::transformations
