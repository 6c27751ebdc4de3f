#pragma once

#include <array>
#include <string_view>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class GridSampleMode { bilinear, bicubic, nearest };
inline constexpr std::array<std::string_view, 3> kGridSampleModeNames{"bilinear", "bicubic", "nearest"};
constexpr const auto& names_of(GridSampleMode) { return kGridSampleModeNames; }

/// What lies outside of the data.
enum class GridSamplePadding { zeros, border, reflection };
inline constexpr std::array<std::string_view, 3> kGridSamplePaddingNames{"zeros", "border", "reflection"};
constexpr const auto& names_of(GridSamplePadding) { return kGridSamplePaddingNames; }

/// `data` [N, C, H, W] with H, W > 0, `grid` [N, H', W', 2] and `out` [N, C, H', W'], all f32 or all f64.
void grid_sample(const Tensor& data, const Tensor& grid, Tensor& out, GridSampleMode mode, GridSamplePadding padding,
                 bool align_corners);

}  // namespace mo::ops::reference
