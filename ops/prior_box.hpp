#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v0 {

/// A grid of boxes over an image: inputs are height and width of the feature map and of the image. Gives [2, 4 *
/// boxes]: corners relative to the image, then variances.
struct PriorBox {
  static constexpr OpId id{"PriorBox", 0};
  static constexpr OpTraits traits{.shape_inputs = 0b11};
  std::vector<double> min_size;
  std::vector<double> max_size;
  std::vector<double> aspect_ratio;
  std::vector<double> density;
  std::vector<double> fixed_ratio;
  std::vector<double> fixed_size;
  bool clip = false;
  bool flip = false;
  double step = 0;
  double offset = 0;
  std::vector<double> variance;
  bool scale_all_sizes = true;
  static constexpr auto attributes = Attributes{attr("min_size", &PriorBox::min_size),
                                                attr("max_size", &PriorBox::max_size),
                                                attr("aspect_ratio", &PriorBox::aspect_ratio),
                                                attr("density", &PriorBox::density),
                                                attr("fixed_ratio", &PriorBox::fixed_ratio),
                                                attr("fixed_size", &PriorBox::fixed_size),
                                                attr("clip", &PriorBox::clip),
                                                attr("flip", &PriorBox::flip),
                                                attr("step", &PriorBox::step),
                                                attr("offset", &PriorBox::offset),
                                                attr("variance", &PriorBox::variance),
                                                attr("scale_all_sizes", &PriorBox::scale_all_sizes)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

namespace v8 {

/// As opset1, with a choice of the order: the box of the max size before those of other aspect ratios, or after them.
struct PriorBox : v0::PriorBox {
  static constexpr OpId id{"PriorBox", 8};
  bool min_max_aspect_ratios_order = true;
  static constexpr auto attributes =
      Attributes{v0::PriorBox::attributes, attr("min_max_aspect_ratios_order", &PriorBox::min_max_aspect_ratios_order)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

using v8::PriorBox;

/// A grid of boxes with given widths and heights. Inputs and output as PriorBox.
struct PriorBoxClustered {
  static constexpr OpId id{"PriorBoxClustered", 0};
  static constexpr OpTraits traits{.shape_inputs = 0b11};
  std::vector<double> width;
  std::vector<double> height;
  bool clip = true;
  double step = 0;
  double step_w = 0;
  double step_h = 0;
  double offset = 0;
  std::vector<double> variance;
  static constexpr auto attributes =
      Attributes{attr("width", &PriorBoxClustered::width),   attr("height", &PriorBoxClustered::height),
                 attr("clip", &PriorBoxClustered::clip),     attr("step", &PriorBoxClustered::step),
                 attr("step_w", &PriorBoxClustered::step_w), attr("step_h", &PriorBoxClustered::step_h),
                 attr("offset", &PriorBoxClustered::offset), attr("variance", &PriorBoxClustered::variance)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
