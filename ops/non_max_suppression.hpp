#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// What the four numbers of a box are: two corners (y1, x1, y2, x2), or center x, center y, width, height.
enum class BoxEncoding { corner, center };
inline constexpr std::array<std::string_view, 2> kBoxEncodingNames{"corner", "center"};
constexpr const auto& names_of(BoxEncoding) { return kBoxEncodingNames; }

namespace v9 {

/// Boxes that overlap no better one: inputs boxes [batch, count, 4], scores [batch, classes, count], and (scalars, 0
/// when absent) the most boxes per class, the overlap above which a box is dropped, the least score, and how soft the
/// suppression is. Gives indices [selected, 3] (batch, class, box), scores [selected, 3] (batch, class, score) and the
/// number selected.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 9};
  static constexpr OpTraits traits{.outputs = 3, .shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes =
      Attributes{attr("box_encoding", &NonMaxSuppression::box_encoding),
                 attr("sort_result_descending", &NonMaxSuppression::sort_result_descending),
                 attr("output_type", &NonMaxSuppression::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v9

namespace v5 {

/// As opset9; a box whose overlap is exactly the threshold is dropped.
struct NonMaxSuppression : v9::NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 5};
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v5

namespace v4 {

/// As opset5 without soft suppression: only the indices, with room for the boxes of all batches and classes; -1 fills
/// up.
struct NonMaxSuppression : v5::NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 4};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v4

namespace v3 {

/// As opset4, with room for the boxes of one batch.
struct NonMaxSuppression : v4::NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 3};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace v3

namespace v1 {

/// As opset3; indices are i64.
struct NonMaxSuppression : v3::NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 1};
  static constexpr auto attributes =
      Attributes{attr("box_encoding", &v9::NonMaxSuppression::box_encoding),
                 attr("sort_result_descending", &v9::NonMaxSuppression::sort_result_descending)};
};

}  // namespace v1

using v9::NonMaxSuppression;

/// As NonMaxSuppression-9, of boxes [batch, count, 5] that are turned: center x, center y, width, height, and the angle
/// in radians, clockwise or counter-clockwise in an image whose y grows downwards. All inputs but that of soft
/// suppression are required.
struct NMSRotated {
  static constexpr OpId id{"NMSRotated", 13};
  static constexpr OpTraits traits{.outputs = 3, .shape_inputs = 0b100};
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  bool clockwise = true;
  static constexpr auto attributes =
      Attributes{attr("sort_result_descending", &NMSRotated::sort_result_descending),
                 attr("output_type", &NMSRotated::output_type), attr("clockwise", &NMSRotated::clockwise)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
