#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Divides the channels along `axis` into `group` groups and takes one of each in turn: [0 1 2 3] in 2 groups becomes
/// [0 2 1 3]. Class v0; opset2 does not have it.
struct ShuffleChannels {
  static constexpr OpId id{"ShuffleChannels", 0};
  std::int64_t axis = 1;
  std::int64_t group = 1;
  static constexpr auto attributes =
      Attributes{attr("axis", &ShuffleChannels::axis), attr("group", &ShuffleChannels::group)};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
