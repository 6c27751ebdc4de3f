#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/layer_axes.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/group_normalization.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"

namespace mo::onnx {
namespace {

double epsilon_of(const FrameworkNode& node) { return node.attr("epsilon", 1e-5); }

/// (x - mean) / sqrt(variance + epsilon)
Value mean_and_variance_removed(Rewriter& rw, const Value& x, const Value& axes, double epsilon) {
  return rw.create(ops::MVN{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x,
                   axes);
}

/// x * scale + bias; both may be empty.
Value scaled_and_shifted(Rewriter& rw, Value x, const Value& scale, const Value& bias) {
  if (scale) x = rw.create(ops::Multiply{}, x, scale);
  if (bias) x = rw.create(ops::Add{}, x, bias);
  return x;
}

/// InstanceNormalization(x, scale, bias) -> MVN over the spatial axes * scale + bias, per channel
Replacement instance_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  const Value y = mean_and_variance_removed(rw, x, axes_from(rw, x, 2), epsilon_of(node));
  return scaled_and_shifted(rw, y, per_channel(rw, node.input(1), x), per_channel(rw, node.input(2), x));
}

/// LayerNormalization(x, scale, bias) -> MVN over the axes from `axis` on * scale + bias. The normalisation is done in
/// the type that stash_type names (f32), and its result is rounded to the type of scale and bias before they apply:
/// that of x, unless ONNX Runtime fused a Cast with it. Outputs 1 and 2: the mean and 1 / deviation in that type.
Replacement layer_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  MO_ASSIGN(const ElementType stash, data_type_of_number(node, "stash_type", node.attr<std::int64_t>("stash_type", 1)));
  const double epsilon = epsilon_of(node);
  MO_ASSIGN(const Value axes, layer_axes(node, rw));
  const Value data = as_type(rw, x, stash);
  Outputs outputs(node.output_count());
  Value y;
  if (node.output_used(1) || node.output_used(2)) {
    const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, data, axes);
    const Value centered = rw.create(ops::Subtract{}, data, mean);
    const Value variance =
        rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, centered, centered), axes);
    const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, variance, number_like(rw, data, epsilon)));
    y = rw.create(ops::Divide{}, centered, deviation);
    outputs[1] = mean;
    if (outputs.size() > 2) outputs[2] = rw.create(ops::Divide{}, number_like(rw, data, 1), deviation);
  } else {
    y = mean_and_variance_removed(rw, data, axes, epsilon);
  }
  outputs[0] = scaled_and_shifted(rw, as_type_of(rw, y, node.input(1)), node.input(1), node.input(2));
  return outputs;
}

/// GroupNormalization-18: x seen as [N, groups, rest], normalised over the rest; scale and bias have one number per
/// group.
Replacement group_normalization_per_group(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  const auto groups = node.required<std::int64_t>("num_groups");
  if (groups < 1)
    return node.error("MO-ONNX-0102", "num_groups is {}, which is not positive", groups)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const Value grouped = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, groups, -1}));
  const Value y = mean_and_variance_removed(rw, grouped, rw.integers({2}), epsilon_of(node));
  const Value column = rw.integers({groups, 1});
  const Value scaled = scaled_and_shifted(rw, y, rw.create(ops::Reshape{}, node.input(1), column),
                                          rw.create(ops::Reshape{}, node.input(2), column));
  return rw.create(ops::Reshape{}, scaled, shape_of(rw, x));
}

/// GroupNormalization-21: scale and bias are per channel, as in the IR. The precision that stash_type asks for is that
/// of the kernels.
Expected<Op> group_normalization_per_channel(const FrameworkNode& node) {
  node.ignore({"stash_type"}, "the precision of the statistics is that of the kernels which run the IR");
  return ops::GroupNormalization{.num_groups = node.required<std::int64_t>("num_groups"), .epsilon = epsilon_of(node)};
}

/// LpNormalization(x) -> x / ||x||_p along the axis
Replacement lp_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto p = node.attr<std::int64_t>("p", 2);
  if (p != 1 && p != 2)
    return node.error("MO-ONNX-0104", "p is {}", p).hint("LpNormalization is defined for p=1 and p=2");
  const Value x = node.input(0);
  const Value axis = rw.integers({node.attr<std::int64_t>("axis", -1)});
  const Value norm = p == 1 ? rw.create(ops::ReduceL1{.keep_dims = true}, x, axis)
                            : rw.create(ops::ReduceL2{.keep_dims = true}, x, axis);
  // A vector of zeros stays what it is.
  const Value is_zero = rw.create(ops::Equal{}, norm, number_like(rw, x, 0));
  return rw.create(ops::Divide{}, x, rw.create(ops::Select{}, is_zero, number_like(rw, x, 1), norm));
}

/// RMSNormalization-23(x, scale) -> x / sqrt(mean of x^2 over the axes from `axis` on + epsilon) * scale, the quotient
/// in the type that `stash_type` names (f32) and then rounded to that of x.
Replacement rms_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "stash_type", node.attr<std::int64_t>("stash_type", 1)));
  MO_ASSIGN(const Value axes, layer_axes(node, rw));
  const Value data = as_type(rw, x, type);
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, data, data), axes);
  const Value root = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, mean, number_like(rw, data, epsilon_of(node))));
  return rw.create(ops::Multiply{}, as_type_of(rw, rw.create(ops::Divide{}, data, root), x), node.input(1));
}

/// (x - mean) / (deviation + 1e-9)
Value mean_and_deviation_removed(Rewriter& rw, const Value& x, const Value& axes, bool normalize_variance) {
  return rw.create(
      ops::MVN{.eps = 1e-9, .eps_mode = ops::MVNEpsMode::outside_sqrt, .normalize_variance = normalize_variance}, x,
      axes);
}

Replacement mean_variance_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value axes = rw.integers(node.attr("axes", std::vector<std::int64_t>{0, 2, 3}));
  return mean_and_deviation_removed(rw, node.input(0), axes, true);
}

/// Experimental before opset 9, with the attributes of Caffe's layer.
Replacement experimental_mean_variance_normalization(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value axes = axes_from(rw, node.input(0), node.attr("across_channels", false) ? 1 : 2);
  return mean_and_deviation_removed(rw, node.input(0), axes, node.attr("normalize_variance", true));
}

}  // namespace

void register_normalization(OperatorTable& table) {
  table.translate("InstanceNormalization", since(1), instance_normalization);
  // ONNX Runtime puts it into the default domain of models of any opset, as its own operator.
  table.translate("LayerNormalization", since(1), layer_normalization);
  table.translate("com.microsoft::LayerNormalization", since(1), layer_normalization);
  table.translate("GroupNormalization", versions(18, 20), group_normalization_per_group);
  table.extract("GroupNormalization", since(21), group_normalization_per_channel);
  table.translate("RMSNormalization", since(23), rms_normalization);
  table.translate("LpNormalization", since(1), lp_normalization);
  table.translate("MeanVarianceNormalization", versions(1, 8), experimental_mean_variance_normalization);
  table.translate("MeanVarianceNormalization", since(9), mean_variance_normalization);
}

}  // namespace mo::onnx
