#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v1 {

enum class BroadcastMode { numpy, none, explicit_, pdpd };
inline constexpr std::array<std::string_view, 4> kBroadcastModeNames{"numpy", "none", "explicit", "pdpd"};
constexpr const auto& names_of(BroadcastMode) { return kBroadcastModeNames; }

/// `data` stretched to the shape in input 1. numpy: aligned at the last dimension; explicit (also called none): data
/// dimension i becomes dimension axes_mapping[i] (input 2); pdpd: aligned at `axis`, -1 being the trailing dimensions.
struct Broadcast {
  static constexpr OpId id{"Broadcast", 1};
  BroadcastMode mode = BroadcastMode::numpy;
  std::int64_t axis = -1;
  static constexpr auto attributes =
      Attributes{attr("mode", &Broadcast::mode), attr("axis", &Broadcast::axis).optional()};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true, .broadcasts = true, .per_axis_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v1

namespace v3 {

enum class BroadcastMode { numpy, explicit_, bidirectional, none, pdpd };
inline constexpr std::array<std::string_view, 5> kBroadcastModeNames{"numpy", "explicit", "bidirectional", "none",
                                                                     "pdpd"};
constexpr const auto& names_of(BroadcastMode) { return kBroadcastModeNames; }

/// As opset1; bidirectional: dimensions of the target that are 1 are stretched to the data, too.
struct Broadcast {
  static constexpr OpId id{"Broadcast", 3};
  BroadcastMode mode = BroadcastMode::numpy;
  std::int64_t axis = -1;
  static constexpr auto attributes =
      Attributes{attr("mode", &Broadcast::mode), attr("axis", &Broadcast::axis).optional()};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true, .broadcasts = true, .per_axis_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v3

using v3::Broadcast;

}  // namespace mo::ops
