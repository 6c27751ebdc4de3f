#pragma once

#include <cstdint>
#include <string>

#include "core/tensor/tensor.hpp"

namespace mo {

/// What the numbers of one tensor are like. Of strings only the count.
struct TensorStatistics {
  std::int64_t elements = 0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  double least = 0;  ///< of the finite elements, as the others here; 0 when there is none
  double most = 0;
  double mean = 0;
  double rms = 0;  ///< root of the mean square
  double largest() const;
};

/// What a relative tolerance is relative to.
enum class Scale {
  element,          ///< the expected element
  element_and_rms,  ///< plus the rms of all expected elements: what rounding leaves of large terms is measured by them
  largest,          ///< the largest expected element
};

/// When two numbers count as equal: |actual - expected| <= absolute + relative * max(scale, least_scale). NaN equals
/// NaN, and infinities of one sign are equal. Integers, booleans and texts must be the same.
struct Closeness {
  double relative = 0;
  double absolute = 0;
  Scale scale = Scale::element;
  double least_scale = 0;
};

/// A tolerance for f16 and bf16, and one for all other types.
struct ClosenessByType {
  Closeness single;
  Closeness half;
  const Closeness& of(ElementType type) const {
    return type == ElementType::f16 || type == ElementType::bf16 ? half : single;
  }
};

/// The tolerances of mo, by what made the numbers differ. A test that needs another one says why beside it.
namespace closeness {

inline constexpr Closeness kSame{};
/// What ONNX asks for in its own tests. Its bfloat16 data (1.12) was made by cutting bits off instead of rounding: it
/// may be one unit in the last place too small.
inline constexpr Closeness kOnnxTests{.relative = 1e-3, .absolute = 1e-7};
inline constexpr Closeness kOnnxTestsOfBf16{.relative = 1.0 / 128, .absolute = 1e-7};
/// A model and its IR.
inline constexpr ClosenessByType kConverted{
    .single = {.relative = 1e-3, .absolute = 1e-6, .scale = Scale::element_and_rms},
    .half = {.relative = 2e-2, .absolute = 1e-3, .scale = Scale::element_and_rms}};
/// What rounding may do when the same is computed in another order or by other operators.
inline constexpr ClosenessByType kReordered{.single = {.relative = 2e-4, .absolute = 2e-4},
                                            .half = {.relative = 2e-2, .absolute = 2e-2}};
/// The same in a graph of a few operators.
inline constexpr ClosenessByType kReorderedFew{.single = {.relative = 2e-5, .absolute = 2e-6},
                                               .half = {.relative = 5e-3, .absolute = 5e-3}};
/// Numbers that an author has typed, or a program printed with six digits.
inline constexpr ClosenessByType kTyped{.single = {.relative = 1e-4, .absolute = 1e-6},
                                        .half = {.relative = 1e-2, .absolute = 1e-6}};
/// A part of the largest element, for models whose small numbers are the noise of large ones.
constexpr Closeness part_of_largest(double part) {
  return {.relative = part, .scale = Scale::largest, .least_scale = 1};
}

}  // namespace closeness

/// How two tensors differ.
struct TensorDifference {
  /// another element type or shape, or other bytes of a type that is known by name only, in words: nothing else was
  /// looked at; empty: elements were compared
  std::string kind;
  std::int64_t differing = 0;  ///< elements that are not the same
  std::int64_t beyond = 0;     ///< those of them that do not count as equal
  double max_absolute = 0;     ///< these over the elements that are finite on both sides
  double max_relative = 0;     ///< |actual - expected| / |expected|, where expected is not 0
  double max_ulp = 0;          ///< in units in the last place of the larger number, in the element type
  double cosine = 1;           ///< of the angle between both as vectors
  double worst = 0;            ///< largest part of what Closeness allows; 1 is the limit
  std::int64_t place = 0;      ///< of `worst`, row-major; and what is there, a number or a text in quotes:
  std::string actual_at_place;
  std::string expected_at_place;
  TensorStatistics actual;
  TensorStatistics expected;

  bool same() const { return kind.empty() && differing == 0; }
  bool close() const { return kind.empty() && beyond == 0; }
  /// max_absolute; infinite where only one of two elements is a number, where texts, types or shapes differ.
  double largest() const;
  /// One line for people: "max abs 0.5, max rel …; element 3 is 1.5 instead of 1".
  std::string to_string() const;
};

/// Errors: of loading.
Expected<TensorStatistics> statistics_of(const Tensor& tensor);

/// The one comparison of tensors. Reads large tensors stretch by stretch: a file of weights is never in memory as a
/// whole. Errors: of loading.
Expected<TensorDifference> difference_of(const Tensor& actual, const Tensor& expected, const Closeness& closeness);

/// Whether two tensors have one type, one shape and the same bytes: less work than a difference. Errors: of loading.
Expected<bool> same_bytes(const Tensor& a, const Tensor& b);

}  // namespace mo
