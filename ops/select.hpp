#pragma once

#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

/// Element by element input 1 where input 0 is true, else input 2. All three broadcast; with pdpd the condition and
/// input 2 are stretched to input 1.
struct Select {
  static constexpr OpId id{"Select", 1};
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes = Attributes{attr("auto_broadcast", &Select::auto_broadcast),
                                                attr("auto_broadcast_axis", &Select::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.elementwise = true, .moves_elements = 0b110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
