#pragma once

#include "frontends/tensorflow/ops/support/translate.hpp"

namespace mo::tensorflow {

/// What is added at both ends of each dimension.
struct Margins {
  Value begin;
  Value end;
};

/// The columns of `paddings` [dimensions, 2]. Error MO-TF-0556 for other shapes and negative numbers.
Expected<Margins> margins_of(const FrameworkNode& node, Rewriter& rw, const Value& paddings);

/// `x` continued by its mirror image, as attribute `mode` says. Errors: MO-TF-0553 (another mode), those of margins_of.
Expected<Value> mirror_padded(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& paddings);

}  // namespace mo::tensorflow
