#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/build/term.hpp"

/// ONNX Resize as plain arithmetic, for what Interpolate cannot say: along each axis a result is a weighted sum of a
/// few elements, whose places and weights are computed from the lengths. With known lengths all of that folds to
/// constants.
namespace mo::build {

/// How ONNX Resize finds elements, in its own words.
struct Resampling {
  std::string mode = "nearest";            ///< nearest, linear, cubic
  std::string coordinates = "half_pixel";  ///< coordinate_transformation_mode
  std::string nearest = "round_prefer_floor";
  double cubic_coeff = -0.75;
  /// weights of elements outside of the data are 0 instead of those of the border
  bool exclude_outside = false;
  bool antialias = false;  ///< filters are stretched when lengths shrink
  double extrapolation_value = 0;
};

/// One axis that is resized. All tensors have one element in one dimension.
struct ResampledAxis {
  std::int64_t axis = 0;  ///< a negative one counts from the back
  Value length;           ///< i64, of the result
  Value factor;           ///< f32
  Value width;            ///< f32: the length before it was rounded
  Value region_begin;     ///< f32, of tf_crop_and_resize only
  Value region_end;
  bool may_shrink = true;  ///< false: the factor is at least 1, and filters stay as they are
};

/// x resized along the axes, one after the other.
Value resampled(Rewriter& rw, const Value& x, const Resampling& how, const std::vector<ResampledAxis>& axes);

/// The axis with a factor or a length, which are tensors of one element in one dimension.
ResampledAxis axis_with_factor(Rewriter& rw, const Value& x, std::int64_t axis, const Value& factor);
ResampledAxis axis_with_length(Rewriter& rw, const Value& x, std::int64_t axis, const Value& length);

}  // namespace mo::build
