#pragma once

#include "core/op.hpp"

namespace mo::ops {

enum class ReverseMode { index, mask };
inline constexpr std::array<std::string_view, 2> kReverseModeNames{"index", "mask"};
constexpr const auto& names_of(ReverseMode) { return kReverseModeNames; }

/// `data` backwards along the axes that input 1 lists (index) or marks with one boolean for each dimension (mask).
struct Reverse {
  static constexpr OpId id{"Reverse", 1};
  ReverseMode mode = ReverseMode::index;
  static constexpr auto attributes = Attributes{attr("mode", &Reverse::mode)};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
