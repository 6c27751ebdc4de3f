#include "frontends/onnx/ops/support/normalized.hpp"

#include "ops/build/tensors.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"

namespace mo::onnx {

using build::number_like;

RootNormalized root_normalized(Rewriter& rw, const Value& x, const Value& axes, double epsilon) {
  const Value square = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, x, x), axes);
  const Value divisor = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, square, number_like(rw, x, epsilon)));
  return {rw.create(ops::Divide{}, x, divisor), divisor};
}

Value last_axis_normalized(Rewriter& rw, const Value& x, const Value& gamma, const Value& beta, double epsilon,
                           bool root) {
  const ops::MVN mvn{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true};
  Value y = root ? root_normalized(rw, x, rw.integers({-1}), epsilon).result : rw.create(mvn, x, rw.integers({-1}));
  if (gamma) y = rw.create(ops::Multiply{}, y, gamma);
  return beta ? rw.create(ops::Add{}, y, beta) : y;
}

}  // namespace mo::onnx
