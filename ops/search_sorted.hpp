#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Where each value (input 1) would have to be inserted into the ascending last dimension of input 0: before equal
/// elements, or after them with `right_mode`. The other dimensions are the same in both, or input 0 is one vector for
/// all values.
struct SearchSorted {
  static constexpr OpId id{"SearchSorted", 15};
  bool right_mode = false;
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("right_mode", &SearchSorted::right_mode),
                                                attr("output_type", &SearchSorted::output_type).optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
