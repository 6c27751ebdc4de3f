#pragma once

#include <array>
#include <vector>

#include "core/op.hpp"
#include "ops/reference/window.hpp"

namespace mo::ops {

/// Where the padding of a sliding window comes from: the stored pads, as much as keeps ceil(size / stride) positions
/// (the odd one at the end or at the beginning), or none.
enum class AutoPad { explicit_pads, same_upper, same_lower, valid };
inline constexpr std::array<std::string_view, 4> kAutoPadNames{"explicit", "same_upper", "same_lower", "valid"};
constexpr const auto& names_of(AutoPad) { return kAutoPadNames; }

/// How a last window that does not fit completely is counted.
enum class RoundingType { floor, ceil };
inline constexpr std::array<std::string_view, 2> kRoundingTypeNames{"floor", "ceil"};
constexpr const auto& names_of(RoundingType) { return kRoundingTypeNames; }

/// As RoundingType, since opset14; `ceil_torch` drops a last window that starts in the end padding.
enum class TorchRoundingType { floor, ceil, ceil_torch };
inline constexpr std::array<std::string_view, 3> kTorchRoundingTypeNames{"floor", "ceil", "ceil_torch"};
constexpr const auto& names_of(TorchRoundingType) { return kTorchRoundingTypeNames; }

/// The attributes that convolutions and poolings share. An empty list stands for ones (strides, dilations) or zeros
/// (pads).
struct WindowAttributes {
  const std::vector<std::int64_t>& strides;
  const std::vector<std::int64_t>& pads_begin;
  const std::vector<std::int64_t>& pads_end;
  const std::vector<std::int64_t>& dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  TorchRoundingType rounding = TorchRoundingType::floor;

  /// Number of spatial axes that the lists speak of; nothing when all are empty.
  std::optional<std::size_t> spatial_rank() const;
};

/// The attributes of one spatial axis, as stored.
struct WindowAxis {
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;
};
WindowAxis window_axis(const WindowAttributes& attributes, std::size_t i);

/// Number of elements that a dilated kernel spans.
inline std::int64_t dilated(std::int64_t kernel, std::int64_t dilation) { return (kernel - 1) * dilation + 1; }

/// Errors: MO-OPS-0300 (a list has another length than `spatial_rank`), MO-OPS-0301 (a number that is not positive, a
/// negative pad, or one above 2^31 - 1).
Expected<void> check_window(const InferContext& ctx, const WindowAttributes& attributes, std::size_t spatial_rank);
Expected<void> check_window_list(const InferContext& ctx, const std::vector<std::int64_t>& list, std::string_view name,
                                 std::int64_t least, std::size_t spatial_rank);
/// Error MO-OPS-0301 for a kernel size that is certainly not in [1, 2^31).
Expected<void> check_kernel(const InferContext& ctx, const std::vector<Dimension>& kernel);

/// Spatial dimensions of the result of a window of `kernel` that slides over `data` ([N, C, spatial…], any rank may be
/// unknown). The attributes and the kernel have been checked. Error MO-OPS-0303 with both shapes when the window is
/// larger than the padded data.
Expected<std::vector<Dimension>> window_output(const InferContext& ctx, const PartialShape& data,
                                               const std::vector<Dimension>& kernel,
                                               const WindowAttributes& attributes);

/// The geometry that kernels work on, with the pads that `auto_pad` gives. `data` and `out` are [N, C, spatial…] of
/// rank 3 to 5.
reference::Window make_window(const Shape& data, const Shape& kernel, const Shape& out,
                              const WindowAttributes& attributes);

}  // namespace mo::ops
