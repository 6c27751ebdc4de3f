#include "extensions/support/front_shapes.hpp"
#include "extensions/support/onnx_operands.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"

namespace mo::front::onnx {
namespace {

double epsilon_of(const Node& node) { return node.attr<double>("epsilon").value_or(1e-5); }

Value normalized(Rewriter& rw, const Value& x, const Value& axes, double epsilon) {
  return rw.create(ops::MVN{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x, axes);
}

/// x * scale + bias; both may be empty.
Value scaled_and_shifted(Rewriter& rw, Value x, const Value& scale, const Value& bias) {
  if (scale) x = rw.create(ops::Multiply{}, x, scale);
  if (bias) x = rw.create(ops::Add{}, x, bias);
  return x;
}

/// The outputs for training are not read, which the extractor has seen to.
Replacement batch_normalization(const Node& node, Rewriter& rw) {
  return Outputs{
      rw.create(ops::BatchNormInference{.epsilon = epsilon_of(node)}, {node.input(0), node.input(1), node.input(2), node.input(3), node.input(4)})};
}

/// BatchNormalization with spatial=0 (up to opset 8): statistics per element of one sample, which broadcast over the batch.
Replacement batch_norm_per_element(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value centered = rw.create(ops::Subtract{}, x, node.input(3));
  const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, node.input(4), number_like(rw, x, epsilon_of(node))));
  return Outputs{scaled_and_shifted(rw, rw.create(ops::Divide{}, centered, deviation), node.input(1), node.input(2))};
}

/// BatchNormalization in training mode: x is normalised with its own mean and population variance, computed in the type of the running
/// statistics; these become running * momentum + own * (1 - momentum). With spatial=0, each element of a sample has statistics of its own.
Replacement batch_norm_training(const Node& node, Rewriter& rw) {
  for (std::size_t i = 0; i < 5; ++i)
    if (!node.input(i)) return missing_input(node);
  const Value x = node.input(0);
  const bool spatial = node.attr<bool>("spatial").value_or(true);
  const Value data = as_type_of(rw, x, node.input(3));
  const Value axes = spatial ? join(rw, {rw.integers({0}), axes_from(rw, x, 2)}) : rw.integers({0});
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, data, axes);
  const Value centered = rw.create(ops::Subtract{}, data, mean);
  const Value variance = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, centered, centered), axes);
  const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, variance, number_like(rw, data, epsilon_of(node))));
  const auto per_element = [&](const Value& numbers) {
    const Value typed = as_type_of(rw, numbers, node.input(3));
    return spatial ? per_channel(rw, typed, x) : typed;
  };
  const Value y = scaled_and_shifted(rw, rw.create(ops::Divide{}, centered, deviation), per_element(node.input(1)), per_element(node.input(2)));
  const double momentum = node.attr<double>("momentum").value_or(0.9);
  const auto running = [&](const Value& before, const Value& now) {
    const Value old_part = rw.create(ops::Multiply{}, before, number_like(rw, before, momentum));
    const Value own = rw.create(ops::Reshape{}, as_type_of(rw, now, before), shape_of(rw, before));
    return rw.create(ops::Add{}, old_part, rw.create(ops::Multiply{}, own, number_like(rw, before, 1 - momentum)));
  };
  Outputs outputs(node.out_port_count());
  outputs[0] = as_type_of(rw, y, x);
  if (outputs.size() > 1) outputs[1] = running(node.input(3), mean);
  if (outputs.size() > 2) outputs[2] = running(node.input(4), variance);
  return outputs;
}

/// InstanceNormalization(x, scale, bias) -> MVN over the spatial axes * scale + bias, per channel
Replacement instance_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value y = normalized(rw, x, axes_from(rw, x, 2), epsilon_of(node));
  return scaled_and_shifted(rw, y, per_channel(rw, node.input(1), x), per_channel(rw, node.input(2), x));
}

/// LayerNormalization(x, scale, bias) -> MVN over the axes from `axis` on * scale + bias. With stash_type=1 the normalisation is done in
/// f32, and its result is rounded to the type of x before scale and bias apply. Outputs 1 and 2: the mean and 1 / deviation in f32.
Replacement layer_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const bool in_f32 = node.attr<std::int64_t>("stash_type").value_or(1) == 1;
  MO_ASSIGN(const Value axes, axes_from_attribute(node, rw));
  const Value data = in_f32 ? as_type(rw, x, ElementType::f32) : x;
  const bool statistics =
      node.out_port_count() > 1 && !(node.out_port(1).disconnected() && (node.out_port_count() < 3 || node.out_port(2).disconnected()));
  Outputs outputs(node.out_port_count());
  Value y;
  if (statistics) {
    const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, data, axes);
    const Value centered = rw.create(ops::Subtract{}, data, mean);
    const Value variance = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, centered, centered), axes);
    const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, variance, number_like(rw, data, epsilon_of(node))));
    y = rw.create(ops::Divide{}, centered, deviation);
    outputs[1] = mean;
    if (outputs.size() > 2) outputs[2] = rw.create(ops::Divide{}, number_like(rw, data, 1), deviation);
  } else {
    y = normalized(rw, data, axes, epsilon_of(node));
  }
  if (data != x) y = as_type_of(rw, y, x);
  outputs[0] = scaled_and_shifted(rw, y, node.input(1), node.input(2));
  return outputs;
}

/// GroupNormalization-18: x seen as [N, groups, rest], normalised over the rest; scale and bias have one number per group.
Replacement group_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const auto groups = node.attr<std::int64_t>("num_groups").value_or(1);
  if (groups < 1) return node.error("MO-ONNX-0102", "num_groups is {}, which is not positive", groups).hint("check how the model was exported");
  const Value grouped = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, groups, -1}));
  const Value y = normalized(rw, grouped, rw.integers({2}), epsilon_of(node));
  const Value column = rw.integers({groups, 1});
  const Value scaled = scaled_and_shifted(rw, y, rw.create(ops::Reshape{}, node.input(1), column), rw.create(ops::Reshape{}, node.input(2), column));
  return rw.create(ops::Reshape{}, scaled, shape_of(rw, x));
}

/// LpNormalization(x) -> x / ||x||_p along the axis
Replacement lp_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value axis = rw.integers({node.attr<std::int64_t>("axis").value_or(-1)});
  const Value norm = node.attr<std::int64_t>("p").value_or(2) == 1 ? rw.create(ops::ReduceL1{.keep_dims = true}, x, axis)
                                                                   : rw.create(ops::ReduceL2{.keep_dims = true}, x, axis);
  return rw.create(ops::Divide{}, x, norm);
}

/// MeanVarianceNormalization(x) -> MVN: (x - mean) / (deviation + 1e-9)
Replacement mean_variance_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const auto listed = node.attr<std::vector<std::int64_t>>("axes");
  const Value axes = listed ? rw.integers(*listed) : axes_from(rw, x, node.attr<std::int64_t>("first_axis").value_or(2));
  return rw.create(
      ops::MVN{.eps = 1e-9, .eps_mode = ops::MVNEpsMode::outside_sqrt, .normalize_variance = node.attr<bool>("normalize_variance").value_or(true)}, x,
      axes);
}

}  // namespace

void register_normalization(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxBatchNormalization").replace_op(batch_normalization));
  passes.add(front_replacement_op("OnnxBatchNormPerElement").replace_op(batch_norm_per_element));
  passes.add(front_replacement_op("OnnxBatchNormTraining").replace_op(batch_norm_training));
  passes.add(front_replacement_op("OnnxInstanceNormalization").replace_op(instance_normalization));
  passes.add(front_replacement_op("OnnxLayerNormalization").replace_op(layer_normalization));
  passes.add(front_replacement_op("OnnxGroupNormalization").replace_op(group_normalization));
  passes.add(front_replacement_op("OnnxLpNormalization").replace_op(lp_normalization));
  passes.add(front_replacement_op("OnnxMeanVarianceNormalization").replace_op(mean_variance_normalization));
}

}  // namespace mo::front::onnx
