#pragma once

#include <array>

#include "core/op.hpp"

namespace mo::ops {

enum class MVNEpsMode { inside_sqrt, outside_sqrt };
inline constexpr std::array<std::string_view, 2> kMVNEpsModeNames{"inside_sqrt", "outside_sqrt"};
constexpr const auto& names_of(MVNEpsMode) { return kMVNEpsModeNames; }

namespace v0 {

/// Subtracts the mean and, with `normalize_variance`, divides by sqrt(variance + eps), over `reduction_axes` when
/// given, else over all spatial dimensions, and the channels too when `across_channels`.
struct MVN {
  static constexpr OpId id{"MVN", 0, 2};
  double eps = 1e-9;
  bool normalize_variance = true;
  bool across_channels = true;
  std::vector<std::int64_t> reduction_axes;
  static constexpr auto attributes = Attributes{
      attr("eps", &MVN::eps), attr("normalize_variance", &MVN::normalize_variance),
      attr("across_channels", &MVN::across_channels), attr("reduction_axes", &MVN::reduction_axes).optional()};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"reduction_axes"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v0

namespace v6 {

/// As opset2 over the axes of input 1 (negative ones count from the back); `eps_mode` says where eps is added.
struct MVN {
  static constexpr OpId id{"MVN", 6};
  double eps = 1e-9;
  MVNEpsMode eps_mode = MVNEpsMode::inside_sqrt;
  bool normalize_variance = true;
  static constexpr auto attributes = Attributes{attr("eps", &MVN::eps), attr("eps_mode", &MVN::eps_mode),
                                                attr("normalize_variance", &MVN::normalize_variance)};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v6

using v6::MVN;

}  // namespace mo::ops
