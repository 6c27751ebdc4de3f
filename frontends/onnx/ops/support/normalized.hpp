#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::onnx {

/// x / sqrt(mean(x^2) + epsilon), and the divisor.
struct RootNormalized {
  Value result;
  Value divisor;
};
RootNormalized root_normalized(Rewriter& rw, const Value& x, const Value& axes, double epsilon);

/// x normalised over the last axis * gamma + beta; gamma and beta may be empty. `root`: by the root of the mean square,
/// without a mean.
Value last_axis_normalized(Rewriter& rw, const Value& x, const Value& gamma, const Value& beta, double epsilon,
                           bool root);

}  // namespace mo::onnx
