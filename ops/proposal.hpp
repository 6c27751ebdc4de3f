#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v4 {

/// Faster R-CNN's region proposals from scores [N, 2*anchors, H, W], box deltas [N, 4*anchors, H, W] and the image's
/// (height, width, scale). Gives [N * post_nms_topn, 5]: image, x1, y1, x2, y2, where a row that starts with -1 ends an
/// image's regions; and the scores of the regions.
struct Proposal {
  static constexpr OpId id{"Proposal", 4};
  static constexpr OpTraits traits{.outputs = 2};
  std::int64_t base_size = 16;
  std::int64_t pre_nms_topn = 6000;
  std::int64_t post_nms_topn = 300;
  double nms_thresh = 0.7;
  std::int64_t feat_stride = 16;
  std::int64_t min_size = 16;
  std::vector<double> ratio;
  std::vector<double> scale;
  bool clip_before_nms = true;
  bool clip_after_nms = false;
  bool normalize = false;
  double box_size_scale = 1;
  double box_coordinate_scale = 1;
  std::string framework;
  static constexpr auto attributes = Attributes{attr("base_size", &Proposal::base_size),
                                                attr("pre_nms_topn", &Proposal::pre_nms_topn),
                                                attr("post_nms_topn", &Proposal::post_nms_topn),
                                                attr("nms_thresh", &Proposal::nms_thresh),
                                                attr("feat_stride", &Proposal::feat_stride),
                                                attr("min_size", &Proposal::min_size),
                                                attr("ratio", &Proposal::ratio),
                                                attr("scale", &Proposal::scale),
                                                attr("clip_before_nms", &Proposal::clip_before_nms),
                                                attr("clip_after_nms", &Proposal::clip_after_nms),
                                                attr("normalize", &Proposal::normalize),
                                                attr("box_size_scale", &Proposal::box_size_scale),
                                                attr("box_coordinate_scale", &Proposal::box_coordinate_scale),
                                                attr("framework", &Proposal::framework)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v4

namespace v0 {

/// As opset4 without the scores.
struct Proposal : v4::Proposal {
  static constexpr OpId id{"Proposal", 0};
  static constexpr OpTraits traits{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

using v4::Proposal;

}  // namespace mo::ops
