#pragma once

#include "core/op.hpp"

namespace mo::ops {

enum class PadMode { constant, edge, reflect, symmetric };
inline constexpr std::array<std::string_view, 4> kPadModeNames{"constant", "edge", "reflect", "symmetric"};
constexpr const auto& names_of(PadMode) { return kPadModeNames; }

namespace v12 {

/// pads_begin (input 1) elements before and pads_end (input 2) after each dimension of `data`: pad_value (input 3, or
/// 0), the edge, or the data mirrored with (symmetric) or without (reflect) the edge. Negative pads cut elements off.
struct Pad {
  static constexpr OpId id{"Pad", 12};
  PadMode pad_mode = PadMode::constant;
  static constexpr auto attributes = Attributes{attr("pad_mode", &Pad::pad_mode)};
  static constexpr OpTraits traits{.moves_elements = 0b1001, .shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true, .per_axis_inputs = 0b110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v12

namespace v1 {

/// As opset12; pads are not negative.
struct Pad : v12::Pad {
  static constexpr OpId id{"Pad", 1};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace v1

using v12::Pad;

}  // namespace mo::ops
