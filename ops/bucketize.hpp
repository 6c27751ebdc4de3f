#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// For each element the number of the bucket that it falls into; input 1 holds the ascending limits of the buckets.
/// `with_right_bound`: a bucket contains its upper limit, otherwise its lower one.
struct Bucketize {
  static constexpr OpId id{"Bucketize", 3};
  ElementType output_type = ElementType::i64;
  bool with_right_bound = true;
  static constexpr auto attributes =
      Attributes{attr("output_type", &Bucketize::output_type), attr("with_right_bound", &Bucketize::with_right_bound)};
  static constexpr LayoutRule layout_rule{.follows = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
