#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Regions of a batch from images [N, 3 or 4], anchors [H, W, A, 4], deltas [N, 4*A, H, W] and scores [N, A, H, W]:
/// boxes [rows, 4], scores [rows] and rows per image [N]. Not evaluated: runtimes leave the order of equal scores open.
struct GenerateProposals {
  static constexpr OpId id{"GenerateProposals", 9};
  static constexpr OpTraits traits{.outputs = 3};
  double min_size = 0;
  double nms_threshold = 0.7;
  std::int64_t pre_nms_count = 1000;
  std::int64_t post_nms_count = 1000;
  bool normalized = true;
  double nms_eta = 1;
  ElementType roi_num_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("min_size", &GenerateProposals::min_size),
                                                attr("nms_threshold", &GenerateProposals::nms_threshold),
                                                attr("pre_nms_count", &GenerateProposals::pre_nms_count),
                                                attr("post_nms_count", &GenerateProposals::post_nms_count),
                                                attr("normalized", &GenerateProposals::normalized),
                                                attr("nms_eta", &GenerateProposals::nms_eta),
                                                attr("roi_num_type", &GenerateProposals::roi_num_type)};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace mo::ops
