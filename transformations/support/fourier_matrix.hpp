#pragma once

#include <optional>

#include "core/pass/rewriter.hpp"
#include "ops/build/term.hpp"

namespace mo::transformations {

/// A condition that is known when the model is converted, or the boolean scalar that tells it when the model runs.
struct Condition {
  std::optional<bool> known;
  Value computed;
};

/// `yes` where the condition holds, `no` elsewhere; no op where that is known, or where both are the same.
build::Term choose(const Condition& condition, const build::Term& yes, const build::Term& no);

/// A transform along one dimension of a signal. The numbers of elements are i64 scalars, constants where they are
/// known.
struct FourierAxis {
  std::size_t dimension = 0;
  Value inputs;  ///< elements of the data
  /// of the signal: data beyond it do not count, and zeros take the place of those that the data lacks
  Value length;
  Value outputs;        ///< elements of the result
  int input_parts = 2;  ///< 1: the data are real, 2: real and imaginary part
  int output_parts = 2;
  bool is_inverse = false;
  Condition is_transformed{.known = true};  ///< otherwise the elements stay what they are
  /// the data are the first half, length / 2 + 1, of a signal whose other half mirrors it
  Condition is_mirrored{.known = false};
};

/// The matrix [inputs * input_parts, outputs * output_parts] that does the transform: a row of data times it is a row
/// of results. A constant where all of `axis` is known and the matrix is not large, otherwise ops that compute it in
/// f32 (for signals of more than 4,096 elements with less precise angles). Nothing when it is known to have more than
/// 2^28 elements.
Expected<std::optional<Value>> fourier_matrix(Rewriter& rw, const FourierAxis& axis, ElementType type);

}  // namespace mo::transformations
