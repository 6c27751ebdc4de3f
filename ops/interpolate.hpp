#pragma once

#include "core/op.hpp"
#include "ops/reference/interpolate.hpp"

namespace mo::ops {

using InterpolateCoordinateMode = reference::CoordinateMode;
using InterpolateNearestMode = reference::NearestMode;

/// Where the lengths of the result come from: given, or given as factors.
enum class InterpolateShapeMode { sizes, scales };
inline constexpr std::array<std::string_view, 2> kInterpolateShapeModeNames{"sizes", "scales"};
constexpr const auto& names_of(InterpolateShapeMode) { return kInterpolateShapeModeNames; }

namespace v0 {

enum class InterpolateMode { nearest, linear, cubic, area };
inline constexpr std::array<std::string_view, 4> kInterpolateModeNames{"nearest", "linear", "cubic", "area"};
constexpr const auto& names_of(InterpolateMode) { return kInterpolateModeNames; }

/// Resizes `axes` of the data (input 0) to the lengths of input 1.
struct Interpolate {
  static constexpr OpId id{"Interpolate", 0};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  std::vector<std::int64_t> axes;
  InterpolateMode mode = InterpolateMode::nearest;
  bool align_corners = true;
  bool antialias = false;
  std::vector<std::int64_t> pads_begin{0};
  std::vector<std::int64_t> pads_end{0};
  static constexpr auto attributes = Attributes{attr("axes", &Interpolate::axes),
                                                attr("mode", &Interpolate::mode),
                                                attr("align_corners", &Interpolate::align_corners),
                                                attr("antialias", &Interpolate::antialias),
                                                attr("pads_begin", &Interpolate::pads_begin),
                                                attr("pads_end", &Interpolate::pads_end)};
  static constexpr LayoutRule layout_rule{.follows = true,
                                          .axes_attributes = {"axes"},
                                          .per_axis_attributes = {"pads_begin", "pads_end"},
                                          .asks_up_to = 10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v0

/// What the classes since opset4 have; their modes differ.
template <class Mode>
struct ResizeSettings {
  Mode mode = Mode::nearest;
  InterpolateShapeMode shape_calculation_mode = InterpolateShapeMode::sizes;
  InterpolateCoordinateMode coordinate_transformation_mode = InterpolateCoordinateMode::half_pixel;
  InterpolateNearestMode nearest_mode = InterpolateNearestMode::round_prefer_floor;
  bool antialias = false;
  std::vector<std::int64_t> pads_begin{0};
  std::vector<std::int64_t> pads_end{0};
  double cube_coeff = -0.75;
  static constexpr auto attributes =
      Attributes{attr("mode", &ResizeSettings::mode),
                 attr("shape_calculation_mode", &ResizeSettings::shape_calculation_mode),
                 attr("coordinate_transformation_mode", &ResizeSettings::coordinate_transformation_mode),
                 attr("nearest_mode", &ResizeSettings::nearest_mode),
                 attr("antialias", &ResizeSettings::antialias),
                 attr("pads_begin", &ResizeSettings::pads_begin),
                 attr("pads_end", &ResizeSettings::pads_end),
                 attr("cube_coeff", &ResizeSettings::cube_coeff)};
};

namespace v4 {

enum class InterpolateMode { nearest, linear, linear_onnx, cubic };
inline constexpr std::array<std::string_view, 4> kInterpolateModeNames{"nearest", "linear", "linear_onnx", "cubic"};
constexpr const auto& names_of(InterpolateMode) { return kInterpolateModeNames; }

/// Resizes the axes of input 3 (all when it is absent) to the lengths of input 1 or by the factors of input 2.
struct Interpolate : ResizeSettings<InterpolateMode> {
  static constexpr OpId id{"Interpolate", 4};
  static constexpr OpTraits traits{.shape_inputs = 0b1110};
  static constexpr LayoutRule layout_rule{.follows = true,
                                          .axes_inputs = 0b1000,
                                          .per_axis_inputs = 0b110,
                                          .per_axis_attributes = {"pads_begin", "pads_end"},
                                          .asks_up_to = 10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v4

namespace v11 {

/// As opset4 with one input for lengths or factors (input 1), axes in input 2, and the filters of the Pillow library.
struct Interpolate : ResizeSettings<reference::InterpolateMode> {
  static constexpr OpId id{"Interpolate", 11};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true,
                                          .axes_inputs = 0b100,
                                          .per_axis_inputs = 0b10,
                                          .per_axis_attributes = {"pads_begin", "pads_end"},
                                          .asks_up_to = 10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v11

using v11::Interpolate;

}  // namespace mo::ops
