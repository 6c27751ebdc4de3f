#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class InterpolateMode { nearest, linear, linear_onnx, cubic, bilinear_pillow, bicubic_pillow };
inline constexpr std::array<std::string_view, 6> kInterpolateModeNames{"nearest", "linear",          "linear_onnx",
                                                                       "cubic",   "bilinear_pillow", "bicubic_pillow"};
constexpr const auto& names_of(InterpolateMode) { return kInterpolateModeNames; }

/// How a coordinate of the result maps to one of the data.
enum class CoordinateMode { half_pixel, pytorch_half_pixel, asymmetric, tf_half_pixel_for_nn, align_corners };
inline constexpr std::array<std::string_view, 5> kCoordinateModeNames{"half_pixel", "pytorch_half_pixel", "asymmetric",
                                                                      "tf_half_pixel_for_nn", "align_corners"};
constexpr const auto& names_of(CoordinateMode) { return kCoordinateModeNames; }

/// Which element is taken for a coordinate between two.
enum class NearestMode { round_prefer_floor, round_prefer_ceil, floor, ceil, simple };
inline constexpr std::array<std::string_view, 5> kNearestModeNames{"round_prefer_floor", "round_prefer_ceil", "floor",
                                                                   "ceil", "simple"};
constexpr const auto& names_of(NearestMode) { return kNearestModeNames; }

struct InterpolateParameters {
  InterpolateMode mode = InterpolateMode::nearest;
  CoordinateMode coordinates = CoordinateMode::half_pixel;
  NearestMode nearest = NearestMode::round_prefer_floor;
  bool antialias = false;
  double cube_coeff = -0.75;
  std::vector<std::int64_t> pads_begin;  ///< zeros before each dimension; as long as the rank
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> axes;  ///< in [0, rank), each once
  /// of each axis: length of the result / padded length, or what the model says; above 0
  std::vector<float> scales;
};

/// Resizes `data` to the type and shape of `out`. Element types of at least 8 bits; no resized dimension of `data` is
/// empty. Errors: MO-CORE-0001 when there is no memory for an intermediate result.
Expected<void> interpolate(const Tensor& data, Tensor& out, const InterpolateParameters& parameters);

}  // namespace mo::ops::reference
