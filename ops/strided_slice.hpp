#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// numpy-style data[begin:end:strides] with masks, one number for each element of `begin`, or none at all for zeros. A
/// 1 means: begin_mask, end_mask: ignore this bound; new_axis_mask: insert a dimension of size 1; shrink_axis_mask:
/// take the element at `begin` and drop the dimension; ellipsis_mask: all dimensions that the others leave. The first
/// of ellipsis, new axis, shrink counts.
struct StridedSlice {
  static constexpr OpId id{"StridedSlice", 1};
  std::vector<std::int64_t> begin_mask;
  std::vector<std::int64_t> end_mask;
  std::vector<std::int64_t> new_axis_mask;
  std::vector<std::int64_t> shrink_axis_mask;
  std::vector<std::int64_t> ellipsis_mask;
  static constexpr auto attributes = Attributes{
      attr("begin_mask", &StridedSlice::begin_mask), attr("end_mask", &StridedSlice::end_mask),
      attr("new_axis_mask", &StridedSlice::new_axis_mask), attr("shrink_axis_mask", &StridedSlice::shrink_axis_mask),
      attr("ellipsis_mask", &StridedSlice::ellipsis_mask)};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b1110};
  static constexpr LayoutRule layout_rule{
      .follows = true,
      .per_axis_inputs = 0b1110,
      .per_axis_attributes = {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
