#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// What a segment without rows holds.
enum class SegmentFill { zero, lowest };
inline constexpr std::array<std::string_view, 2> kSegmentFillNames{"zero", "lowest"};
constexpr const auto& names_of(SegmentFill) { return kSegmentFillNames; }

/// The largest elements of each segment along axis 0: data [N, …], the ascending segment of each row [N], and, if
/// given, the number of segments; else it is the last segment plus 1. Rows of segments beyond that number are ignored.
/// NaN is less than each number.
struct SegmentMax {
  static constexpr OpId id{"SegmentMax", 16};
  SegmentFill fill_mode = SegmentFill::zero;
  static constexpr auto attributes = Attributes{attr("fill_mode", &SegmentMax::fill_mode)};
  static constexpr OpTraits traits{.fills_outputs = true, .shape_inputs = 0b110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
