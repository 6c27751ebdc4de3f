#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// By what the result of a suppression is sorted.
enum class NmsSortResult { classid, score, none };
inline constexpr std::array<std::string_view, 3> kNmsSortResultNames{"classid", "score", "none"};
constexpr const auto& names_of(NmsSortResult) { return kNmsSortResultNames; }

/// How an overlap lowers a score.
enum class NmsDecay { gaussian, linear };
inline constexpr std::array<std::string_view, 2> kNmsDecayNames{"gaussian", "linear"};
constexpr const auto& names_of(NmsDecay) { return kNmsDecayNames; }

/// What suppressions over all classes have: what they sort, and how many boxes they keep.
struct SuppressionLimits {
  static constexpr OpTraits traits{.outputs = 3};
  NmsSortResult sort_result_type = NmsSortResult::none;
  bool sort_result_across_batch = false;
  ElementType output_type = ElementType::i64;
  double score_threshold = 0;
  std::int64_t nms_top_k = -1;
  std::int64_t keep_top_k = -1;
  std::int64_t background_class = -1;
  bool normalized = true;
  static constexpr auto attributes =
      Attributes{attr("sort_result_type", &SuppressionLimits::sort_result_type),
                 attr("sort_result_across_batch", &SuppressionLimits::sort_result_across_batch),
                 attr("output_type", &SuppressionLimits::output_type),
                 attr("score_threshold", &SuppressionLimits::score_threshold),
                 attr("nms_top_k", &SuppressionLimits::nms_top_k),
                 attr("keep_top_k", &SuppressionLimits::keep_top_k),
                 attr("background_class", &SuppressionLimits::background_class),
                 attr("normalized", &SuppressionLimits::normalized)};
};

/// Soft suppression in one step: boxes [N, M, 4], scores [N, C, M] give [rows, 6] (class, score, box), indices [rows,
/// 1] and rows per image [N]. Not evaluated: runtimes leave the order of equal scores open.
struct MatrixNms : SuppressionLimits {
  static constexpr OpId id{"MatrixNms", 8};
  NmsDecay decay_function = NmsDecay::linear;
  double gaussian_sigma = 2;
  double post_threshold = 0;
  static constexpr auto attributes = Attributes{
      SuppressionLimits::attributes, attr("decay_function", &MatrixNms::decay_function),
      attr("gaussian_sigma", &MatrixNms::gaussian_sigma), attr("post_threshold", &MatrixNms::post_threshold)};
  Expected<void> infer(InferContext& ctx) const;
};

namespace v8 {

/// Suppression per class: inputs and outputs as MatrixNms. Not evaluated, as MatrixNms.
struct MulticlassNms : SuppressionLimits {
  static constexpr OpId id{"MulticlassNms", 8};
  double iou_threshold = 0;
  double nms_eta = 1;
  static constexpr auto attributes =
      Attributes{SuppressionLimits::attributes, attr("iou_threshold", &MulticlassNms::iou_threshold),
                 attr("nms_eta", &MulticlassNms::nms_eta)};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace v8

namespace v9 {

/// As opset8; with the number of boxes of each image (input 2), boxes are [C, M, 4] and scores [C, M] of all images.
struct MulticlassNms : v8::MulticlassNms {
  static constexpr OpId id{"MulticlassNms", 9};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace v9

using v9::MulticlassNms;

}  // namespace mo::ops
