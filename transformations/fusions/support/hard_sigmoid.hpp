#pragma once

#include "ops/pattern.hpp"
#include "transformations/support/matching.hpp"

/// relu6(x + 3), of which HSigmoid and HSwish are a sixth, in the spellings of exporters.
namespace mo::transformations {

inline Pat shifted_clamp(const Pat& x) {
  using namespace pattern;
  return clamp(x + number(3), 0, 6);
}

inline Pat shifted_relu6(const Pat& x) {
  using namespace pattern;
  const Pat shifted = x + number(3);
  return any_of(min(relu(shifted), number(6)), relu(min(shifted, number(6))));
}

inline Pat shifted_limits(const Pat& x) {
  using namespace pattern;
  const Pat shifted = x + number(3);
  return any_of(min(max(shifted, number(0)), number(6)), max(min(shifted, number(6)), number(0)));
}

}  // namespace mo::transformations
