#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v8 {

/// SSD's last layer: decodes boxes (input 0) against priors (input 2), drops what overlaps a better one of its class
/// (scores: input 1). Gives [1, 1, rows, 7]: image, label, score, x1, y1, x2, y2; a row that starts with -1 ends them.
struct DetectionOutput {
  static constexpr OpId id{"DetectionOutput", 8};
  std::int64_t background_label_id = 0;
  std::int64_t top_k = -1;
  bool variance_encoded_in_target = false;
  std::vector<std::int64_t> keep_top_k{-1};
  std::string code_type = "caffe.PriorBoxParameter.CORNER";
  bool share_location = true;
  double nms_threshold = 0;
  double confidence_threshold = 0;
  bool clip_after_nms = false;
  bool clip_before_nms = false;
  bool decrease_label_id = false;
  bool normalized = false;
  std::int64_t input_height = 1;
  std::int64_t input_width = 1;
  double objectness_score = 0;
  static constexpr auto attributes =
      Attributes{attr("background_label_id", &DetectionOutput::background_label_id),
                 attr("top_k", &DetectionOutput::top_k),
                 attr("variance_encoded_in_target", &DetectionOutput::variance_encoded_in_target),
                 attr("keep_top_k", &DetectionOutput::keep_top_k),
                 attr("code_type", &DetectionOutput::code_type),
                 attr("share_location", &DetectionOutput::share_location),
                 attr("nms_threshold", &DetectionOutput::nms_threshold),
                 attr("confidence_threshold", &DetectionOutput::confidence_threshold),
                 attr("clip_after_nms", &DetectionOutput::clip_after_nms),
                 attr("clip_before_nms", &DetectionOutput::clip_before_nms),
                 attr("decrease_label_id", &DetectionOutput::decrease_label_id),
                 attr("normalized", &DetectionOutput::normalized),
                 attr("input_height", &DetectionOutput::input_height),
                 attr("input_width", &DetectionOutput::input_width),
                 attr("objectness_score", &DetectionOutput::objectness_score)};
  static constexpr LayoutRule layout_rule{.not_an_image = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

namespace v0 {

/// As opset8; the number of classes does not follow from the shapes.
struct DetectionOutput : v8::DetectionOutput {
  static constexpr OpId id{"DetectionOutput", 0};
  std::int64_t num_classes = 1;
  static constexpr auto attributes =
      Attributes{attr("num_classes", &DetectionOutput::num_classes), v8::DetectionOutput::attributes};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

using v8::DetectionOutput;

}  // namespace mo::ops
