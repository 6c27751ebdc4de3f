#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The output layer of YOLO: each region has x, y, w, h, an objectness and scores of classes. x, y and the objectness
/// go through a sigmoid; the scores through a soft-max (YOLO v2: `do_softmax`, dimensions `axis`…`end_axis` become one)
/// or a sigmoid (YOLO v3: `mask`).
struct RegionYolo {
  static constexpr OpId id{"RegionYolo", 0};
  std::vector<double> anchors;
  std::int64_t axis = 1;
  std::int64_t coords = 4;
  std::int64_t classes = 1;
  std::int64_t end_axis = 3;
  std::int64_t num = 1;
  bool do_softmax = true;
  std::vector<std::int64_t> mask;
  static constexpr auto attributes =
      Attributes{attr("anchors", &RegionYolo::anchors),       attr("axis", &RegionYolo::axis),
                 attr("coords", &RegionYolo::coords),         attr("classes", &RegionYolo::classes),
                 attr("end_axis", &RegionYolo::end_axis),     attr("num", &RegionYolo::num),
                 attr("do_softmax", &RegionYolo::do_softmax), attr("mask", &RegionYolo::mask)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
