#pragma once

#include "core/op.hpp"
#include "core/op/data_layout.hpp"

namespace mo::ops {

enum class PatchPadding { same_upper, same_lower, valid };
inline constexpr std::array<std::string_view, 3> kPatchPaddingNames{"same_upper", "same_lower", "valid"};
constexpr const auto& names_of(PatchPadding) { return kPatchPaddingNames; }

/// Patches of `sizes` (height, width) taken every `strides` elements from [N, C, H, W], their elements `rates` apart,
/// put into the channels: [N, place in the patch * C, rows, columns], places slower than channels. Outside of the image
/// there are zeros.
struct ExtractImagePatches {
  static constexpr OpId id{"ExtractImagePatches", 3};
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> rates;
  PatchPadding auto_pad = PatchPadding::valid;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("sizes", &ExtractImagePatches::sizes), attr("strides", &ExtractImagePatches::strides),
                 attr("rates", &ExtractImagePatches::rates), attr("auto_pad", &ExtractImagePatches::auto_pad),
                 attr("layout", &ExtractImagePatches::layout).internal().optional()};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
