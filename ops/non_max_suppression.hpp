#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// What the four numbers of a box are: two corners (y1, x1, y2, x2), or center x, center y, width, height.
enum class BoxEncoding { corner, center };
inline constexpr std::array<std::string_view, 2> kBoxEncodingNames{"corner", "center"};
constexpr const auto& names_of(BoxEncoding) { return kBoxEncodingNames; }

namespace v1 {

/// Boxes that overlap no better one: inputs boxes [batch, count, 4], scores [batch, classes, count], and (scalars, 0 when absent) the most
/// boxes per class, the overlap above which a box is dropped, and the least score. Gives [rows, 3]: batch, class, box; -1 fills up.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 1};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  static constexpr auto attributes =
      std::tuple{attr("box_encoding", &NonMaxSuppression::box_encoding), attr("sort_result_descending", &NonMaxSuppression::sort_result_descending)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v1

namespace v3 {

/// As opset1, with a choice of the index type.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 3};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes =
      std::tuple{attr("box_encoding", &NonMaxSuppression::box_encoding), attr("sort_result_descending", &NonMaxSuppression::sort_result_descending),
                 attr("output_type", &NonMaxSuppression::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

namespace v4 {

/// As opset3, with room for the boxes of all batches and classes.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 4};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes =
      std::tuple{attr("box_encoding", &NonMaxSuppression::box_encoding), attr("sort_result_descending", &NonMaxSuppression::sort_result_descending),
                 attr("output_type", &NonMaxSuppression::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v4

namespace v5 {

/// As opset4 with soft suppression (input 5). Gives indices [selected, 3], scores [selected, 3] (batch, class, score) and the number selected.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 5};
  static constexpr OpTraits traits{.outputs = 3, .shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes =
      std::tuple{attr("box_encoding", &NonMaxSuppression::box_encoding), attr("sort_result_descending", &NonMaxSuppression::sort_result_descending),
                 attr("output_type", &NonMaxSuppression::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v5

namespace v9 {

/// As opset5; a box whose overlap is exactly the threshold stays.
struct NonMaxSuppression {
  static constexpr OpId id{"NonMaxSuppression", 9};
  static constexpr OpTraits traits{.outputs = 3, .shape_inputs = 0b100};
  BoxEncoding box_encoding = BoxEncoding::corner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes =
      std::tuple{attr("box_encoding", &NonMaxSuppression::box_encoding), attr("sort_result_descending", &NonMaxSuppression::sort_result_descending),
                 attr("output_type", &NonMaxSuppression::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v9

using v9::NonMaxSuppression;

}  // namespace mo::ops
