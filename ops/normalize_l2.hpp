#pragma once

#include <array>

#include "core/op.hpp"

namespace mo::ops {

enum class NormalizeL2EpsMode { add, max };
inline constexpr std::array<std::string_view, 2> kNormalizeL2EpsModeNames{"add", "max"};
constexpr const auto& names_of(NormalizeL2EpsMode) { return kNormalizeL2EpsModeNames; }

/// Divides by the Euclidean length along the axes of input 1; `eps` is added to the sum of squares, or is its least
/// value.
struct NormalizeL2 {
  static constexpr OpId id{"NormalizeL2", 0};
  double eps = 1e-10;
  NormalizeL2EpsMode eps_mode = NormalizeL2EpsMode::add;
  static constexpr auto attributes =
      Attributes{attr("eps", &NormalizeL2::eps), attr("eps_mode", &NormalizeL2::eps_mode)};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
