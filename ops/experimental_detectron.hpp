#pragma once

#include "core/op.hpp"

namespace mo::ops {

// Ops of Detectron models. Those that make proposals are left to runtimes; mo infers their shapes only.

/// Final boxes from rois, deltas, scores and the image: boxes [max_detections_per_image, 4], classes and scores.
struct ExperimentalDetectronDetectionOutput {
  static constexpr OpId id{"ExperimentalDetectronDetectionOutput", 6};
  static constexpr OpTraits traits{.outputs = 3};
  double score_threshold = 0.05;
  double nms_threshold = 0.5;
  double max_delta_log_wh = 4.135166556742356;
  std::int64_t num_classes = 81;
  std::int64_t post_nms_count = 2000;
  std::int64_t max_detections_per_image = 100;
  bool class_agnostic_box_regression = false;
  std::vector<double> deltas_weights{10, 10, 5, 5};
  static constexpr auto attributes = Attributes{
      attr("score_threshold", &ExperimentalDetectronDetectionOutput::score_threshold),
      attr("nms_threshold", &ExperimentalDetectronDetectionOutput::nms_threshold),
      attr("max_delta_log_wh", &ExperimentalDetectronDetectionOutput::max_delta_log_wh),
      attr("num_classes", &ExperimentalDetectronDetectionOutput::num_classes),
      attr("post_nms_count", &ExperimentalDetectronDetectionOutput::post_nms_count),
      attr("max_detections_per_image", &ExperimentalDetectronDetectionOutput::max_detections_per_image),
      attr("class_agnostic_box_regression", &ExperimentalDetectronDetectionOutput::class_agnostic_box_regression),
      attr("deltas_weights", &ExperimentalDetectronDetectionOutput::deltas_weights)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Regions of one image from image, anchors, deltas and scores: boxes [post_nms_count, 4] and their scores.
struct ExperimentalDetectronGenerateProposalsSingleImage {
  static constexpr OpId id{"ExperimentalDetectronGenerateProposalsSingleImage", 6};
  static constexpr OpTraits traits{.outputs = 2};
  double min_size = 0;
  double nms_threshold = 0.7;
  std::int64_t post_nms_count = 1000;
  std::int64_t pre_nms_count = 1000;
  static constexpr auto attributes =
      Attributes{attr("min_size", &ExperimentalDetectronGenerateProposalsSingleImage::min_size),
                 attr("nms_threshold", &ExperimentalDetectronGenerateProposalsSingleImage::nms_threshold),
                 attr("post_nms_count", &ExperimentalDetectronGenerateProposalsSingleImage::post_nms_count),
                 attr("pre_nms_count", &ExperimentalDetectronGenerateProposalsSingleImage::pre_nms_count)};
  Expected<void> infer(InferContext& ctx) const;
};

/// Priors [n, 4] (input 0) at every place of a feature map (input 1) over the image (input 2): [H * W * n, 4], or [H,
/// W, n, 4] without `flatten`.
struct ExperimentalDetectronPriorGridGenerator {
  static constexpr OpId id{"ExperimentalDetectronPriorGridGenerator", 6};
  bool flatten = true;
  std::int64_t h = 0;
  std::int64_t w = 0;
  double stride_x = 0;
  double stride_y = 0;
  static constexpr auto attributes = Attributes{attr("flatten", &ExperimentalDetectronPriorGridGenerator::flatten),
                                                attr("h", &ExperimentalDetectronPriorGridGenerator::h),
                                                attr("w", &ExperimentalDetectronPriorGridGenerator::w),
                                                attr("stride_x", &ExperimentalDetectronPriorGridGenerator::stride_x),
                                                attr("stride_y", &ExperimentalDetectronPriorGridGenerator::stride_y)};
  Expected<void> infer(InferContext& ctx) const;
};

/// ROIAlign of rois [n, 4] (input 0) on the fitting level of a pyramid (further inputs): features [n, C, size, size]
/// and the rois.
struct ExperimentalDetectronROIFeatureExtractor {
  static constexpr OpId id{"ExperimentalDetectronROIFeatureExtractor", 6};
  static constexpr OpTraits traits{.outputs = 2};
  std::int64_t output_size = 7;
  std::int64_t sampling_ratio = 2;
  std::vector<std::int64_t> pyramid_scales{4, 8, 16, 32, 64};
  bool aligned = false;
  static constexpr auto attributes =
      Attributes{attr("output_size", &ExperimentalDetectronROIFeatureExtractor::output_size),
                 attr("sampling_ratio", &ExperimentalDetectronROIFeatureExtractor::sampling_ratio),
                 attr("pyramid_scales", &ExperimentalDetectronROIFeatureExtractor::pyramid_scales),
                 attr("aligned", &ExperimentalDetectronROIFeatureExtractor::aligned)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The rois [n, 4] with the highest probabilities: [max_rois, 4].
struct ExperimentalDetectronTopKROIs {
  static constexpr OpId id{"ExperimentalDetectronTopKROIs", 6};
  std::int64_t max_rois = 0;
  static constexpr auto attributes = Attributes{attr("max_rois", &ExperimentalDetectronTopKROIs::max_rois)};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace mo::ops
