#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::tensorflow {
namespace {

/// Moments(x, axes) -> mean over the axes, mean of (x - mean)^2 over them
Replacement moments(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const Value axes = node.input(1);
  const bool keeps = node.attr("keep_dims", false);
  const Value centre = rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  const Value difference = rw.create(ops::Subtract{}, x, centre);
  const Value variance =
      rw.create(ops::ReduceMean{.keep_dims = keeps}, rw.create(ops::Multiply{}, difference, difference), axes);
  return Outputs{keeps ? centre : rw.create(ops::ReduceMean{.keep_dims = false}, x, axes), variance};
}

/// InstanceNorm(x, gamma, beta, mean, variance) -> (x - mean) / sqrt(variance + epsilon) * gamma + beta
Replacement instance_norm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(5));
  const auto epsilon = node.required<double>("epsilon");
  const Value variance = rw.create(ops::Add{}, node.input(4), number_like(rw, node.input(4), epsilon));
  const Value scale = rw.create(ops::Divide{}, node.input(1), rw.create(ops::Sqrt{}, variance));
  const Value centred = rw.create(ops::Subtract{}, node.input(0), node.input(3));
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, centred, scale), node.input(2));
}

}  // namespace

/// What fold_moments and fold_batch_norms_algebraic of the Graph Transform Tool make; no op of TensorFlow's own.
void register_moments(OperatorTable& table) {
  table.translate("Moments", moments);
  table.translate("InstanceNorm", instance_norm);
}

}  // namespace mo::tensorflow
