#pragma once

#include "core/op.hpp"

namespace mo::ops {

// Slices of `data`: the last dimension of `indices` holds beginnings of indices into the data after the first
// `batch_dims` dimensions, which data and indices share. Negative indices count from the back; one outside is an error
// when the op is evaluated.

namespace v5 {

/// The batch dimensions come out as one (their product).
struct GatherND {
  static constexpr OpId id{"GatherND", 5};
  std::int64_t batch_dims = 0;
  static constexpr auto attributes = Attributes{attr("batch_dims", &GatherND::batch_dims)};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v5

namespace v8 {

/// The batch dimensions stay as they are.
struct GatherND {
  static constexpr OpId id{"GatherND", 8};
  std::int64_t batch_dims = 0;
  static constexpr auto attributes = Attributes{attr("batch_dims", &GatherND::batch_dims)};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

using v8::GatherND;

}  // namespace mo::ops
