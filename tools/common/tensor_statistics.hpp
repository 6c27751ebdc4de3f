#pragma once

#include <cstdint>
#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::tools {

/// What the numbers of one tensor are like. Of strings only the count.
struct TensorStatistics {
  std::int64_t elements = 0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  double least = 0;  ///< of the finite elements, as the others here; 0 when there is none
  double most = 0;
  double mean = 0;
  double rms = 0;  ///< root of the mean square
};

/// When two numbers count as equal: |actual - expected| <= absolute + relative * (|expected| + rms), where rms is that
/// of all expected numbers, so that what rounding leaves of large terms is measured by them. Whole numbers, booleans
/// and texts must be the same.
struct Closeness {
  double relative = 0;
  double absolute = 0;
};

/// How two tensors of one type and shape differ.
struct TensorDifference {
  /// another element type or shape, in words: nothing else was looked at; empty: numbers were compared
  std::string kind;
  /// elements that do not count as equal; NaN equals NaN, and infinities of one sign are equal
  std::int64_t beyond = 0;
  double max_absolute = 0;  ///< these over the elements that are finite on both sides
  double max_relative = 0;  ///< |actual - expected| / |expected|, where expected is not 0
  double max_ulp = 0;       ///< in units in the last place of the larger number, in the element type
  double cosine = 1;        ///< of the angle between both as vectors
  double worst = 0;         ///< largest part of what Closeness allows; 1 is the limit
  std::int64_t place = 0;   ///< of `worst`, row-major; and the numbers there:
  double actual_at_place = 0;
  double expected_at_place = 0;
  TensorStatistics actual;
  TensorStatistics expected;

  bool close() const { return kind.empty() && beyond == 0; }
  /// One line for people: "max abs 0.5 at 3 (1.5 instead of 1), rel …".
  std::string to_string() const;
};

/// Errors: of loading.
Expected<TensorStatistics> statistics_of(const Tensor& tensor);
/// Errors: of loading.
Expected<TensorDifference> difference_of(const Tensor& actual, const Tensor& expected, const Closeness& closeness);

}  // namespace mo::tools
