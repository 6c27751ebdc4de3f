#pragma once

#include "core/op.hpp"
#include "ops/reference/grid_sample.hpp"

namespace mo::ops {

/// Samples data [N, C, H, W] at the places of a grid [N, H', W', 2] of (x, y) in [-1, 1].
struct GridSample {
  static constexpr OpId id{"GridSample", 9};
  bool align_corners = false;
  reference::GridSampleMode mode = reference::GridSampleMode::bilinear;
  reference::GridSamplePadding padding_mode = reference::GridSamplePadding::zeros;
  static constexpr auto attributes =
      Attributes{attr("align_corners", &GridSample::align_corners), attr("mode", &GridSample::mode),
                 attr("padding_mode", &GridSample::padding_mode)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
