#pragma once

#include "core/graph/values.hpp"

namespace mo::build {

/// Returns true if no element of `value` can be negative: sizes, indices that ops give, constants, unsigned numbers,
/// and arithmetic on such numbers. A cheap search with a budget, so false may mean "unknown". Sums and products are
/// taken not to overflow.
bool is_not_negative(const Value& value);

}  // namespace mo::build
