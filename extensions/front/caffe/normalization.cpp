#include <cmath>

#include "extensions/front/caffe/layer_inputs.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/concat.hpp"
#include "ops/lrn.hpp"
#include "ops/mvn.hpp"
#include "ops/normalize_l2.hpp"

namespace mo::front::caffe {
namespace {

/// As many times `number` as `like` has elements.
Value filled_like(Rewriter& rw, const Value& like, float number) {
  const std::int64_t count = known_shape(like).element_count().value_or(1);
  return rw.constant(Tensor::vector(std::vector<float>(static_cast<std::size_t>(count), number)));
}

/// Caffe: mean and variance are stored as sums; the third blob says how much they were weighted. 0: nothing was summed up.
Expected<double> statistics_factor(const Node& node) {
  if (blob_count(node) < 3) return 1.0;
  const auto sum = known_reals(node.input(bottom_count(node) + 2));
  if (!sum || sum->size() != 1)
    return node.error("MO-CAFFE-0107", "blob 2 of the layer, the factor of mean and variance, is not one number").hint("check the .caffemodel");
  return sum->front() == 0 ? 0.0 : 1 / sum->front();
}

Expected<Value> channel_blob(const Node& node, Rewriter& rw, std::size_t i, const Value& like) {
  return shaped_blob(node, rw, i, {known_shape(like).element_count().value_or(1)});
}

/// The axes of the batch and of the image: all but the channels.
Value all_but_channels(Rewriter& rw, const Value& x) {
  if (const auto rank = layer_rank(x)) {
    Integers axes = {0};
    for (std::int64_t axis = 2; axis < *rank; ++axis) axes.push_back(axis);
    return rw.integers(axes);
  }
  return rw.create(ops::Concat{.axis = 0}, rw.integers({0}), layer_axes_from(rw, x, 2));
}

/// BatchNorm -> BatchNormInference; with the statistics of the batch itself (use_global_stats: false) MVN.
Replacement batch_norm(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const double epsilon = real_of(node, "eps");
  if (!flag_of(node, "use_global_stats"))
    return rw.create(ops::MVN{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x, all_but_channels(rw, x));
  MO_ASSIGN(Value mean, vector_blob(node, rw, 0));
  MO_ASSIGN(Value variance, channel_blob(node, rw, 1, mean));
  MO_ASSIGN(const double factor, statistics_factor(node));
  if (factor == 0) {
    mean = filled_like(rw, mean, 0);
    variance = filled_like(rw, mean, 0);
  } else if (factor != 1) {
    mean = rw.fold(ops::Multiply{}, mean, real(rw, factor));
    variance = rw.fold(ops::Multiply{}, variance, real(rw, factor));
  }
  Value gamma;
  Value beta;
  if (blob_count(node) == 5) {
    MO_ASSIGN(gamma, channel_blob(node, rw, 3, mean));
    MO_ASSIGN(beta, channel_blob(node, rw, 4, mean));
  } else {
    gamma = filled_like(rw, mean, 1);
    beta = filled_like(rw, mean, 0);
  }
  return rw.create(ops::BatchNormInference{.epsilon = epsilon}, {x, gamma, beta, mean, variance});
}

/// BN: slope, bias, mean, variance -> BatchNormInference; scale, shift -> x * scale + shift
Replacement bn(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  MO_ASSIGN(const Value slope, vector_blob(node, rw, 0));
  MO_ASSIGN(const Value bias, channel_blob(node, rw, 1, slope));
  if (blob_count(node) == 2) return rw.create(ops::Add{}, rw.create(ops::Multiply{}, x, behind_axis(rw, slope, x, 1)), behind_axis(rw, bias, x, 1));
  MO_ASSIGN(const Value mean, channel_blob(node, rw, 2, slope));
  MO_ASSIGN(const Value variance, channel_blob(node, rw, 3, slope));
  return rw.create(ops::BatchNormInference{.epsilon = real_of(node, "eps")}, {x, slope, bias, mean, variance});
}

/// Operand of Scale or Bias that is a blob: as many dimensions as `num_axes` says.
Expected<Value> operand_blob(const Node& node, Rewriter& rw, std::size_t i) {
  const std::int64_t axes = integer_of(node, "num_axes", 1);
  if (axes == 0) return shaped_blob(node, rw, i, {});
  if (axes == 1) return vector_blob(node, rw, i);
  const auto shape = known_shape(node.input(bottom_count(node) + i)).to_shape();
  if (!shape || (axes > 1 && static_cast<std::int64_t>(shape->size()) != axes))
    return node
        .error("MO-CAFFE-0107", "blob {} of the layer has shape {}, num_axes is {}", i, known_shape(node.input(bottom_count(node) + i)).to_string(),
               axes)
        .hint("check that the .caffemodel belongs to the prototxt");
  return shaped_blob(node, rw, i, *shape);
}

/// Scale(x, scale) -> x * scale + bias, Bias(x, bias) -> x + bias; the operands lie along the axes from `axis` on. Without a blob the first
/// operand is the second bottom.
Replacement scale(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kMostAxes = 64;
  const Value x = node.input(0);
  const std::int64_t axis = integer_of(node, "axis", 1);
  if (axis < -kMostAxes || axis > kMostAxes)
    return node.error("MO-CAFFE-0104", "axis is {}", axis).hint("it is an axis of the bottom; a negative one counts from the back");
  std::size_t next = 0;
  Value second = bottom_count(node) > 1 ? node.input(1) : Value();
  const auto operand = [&]() -> Expected<Value> {
    if (second) return std::exchange(second, Value());
    return operand_blob(node, rw, next++);
  };
  Value y = x;
  if (flag_of(node, "scale")) {
    MO_ASSIGN(const Value factor, operand());
    y = rw.create(ops::Multiply{}, y, behind_axis(rw, factor, x, axis));
  }
  if (flag_of(node, "bias")) {
    MO_ASSIGN(const Value shift, operand());
    y = rw.create(ops::Add{}, y, behind_axis(rw, shift, x, axis));
  }
  return y;
}

/// LRN: over the channels, or over squares of the image (Caffe divides alpha by their size, as the IR does).
Replacement local_response(const Node& node, Rewriter& rw) {
  const Value axes = rw.integers(flag_of(node, "within_channel") ? Integers{2, 3} : Integers{1});
  return rw.create(
      ops::LRN{.alpha = real_of(node, "alpha"), .beta = real_of(node, "beta"), .bias = real_of(node, "bias"), .size = integer_of(node, "size", 1)},
      node.input(0), axes);
}

/// MVN over the image, or the whole sample. Caffe adds eps to the deviation, behind the root.
Replacement mean_variance(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  return rw.create(
      ops::MVN{.eps = real_of(node, "eps"), .eps_mode = ops::MVNEpsMode::outside_sqrt, .normalize_variance = flag_of(node, "normalize_variance")}, x,
      layer_axes_from(rw, x, flag_of(node, "across_channels") ? 1 : 2));
}

/// Normalize(x, scale) -> NormalizeL2(x) * scale
Replacement normalize(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  MO_ASSIGN(const Value factor, shaped_blob(node, rw, 0, flag_of(node, "channel_shared") ? Integers{} : Integers{-1}));
  const Value axes = flag_of(node, "across_spatial") ? layer_axes_from(rw, x, 1) : rw.integers({1});
  const Value y = rw.create(ops::NormalizeL2{.eps = real_of(node, "eps"), .eps_mode = ops::NormalizeL2EpsMode::add}, x, axes);
  return rw.create(ops::Multiply{}, y, behind_axis(rw, factor, x, 1));
}

}  // namespace

void register_normalization(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeBatchNorm").replace_op(batch_norm));
  passes.add(front_replacement_op("CaffeBN").replace_op(bn));
  passes.add(front_replacement_op("CaffeScale").replace_op(scale));
  passes.add(front_replacement_op("CaffeLRN").replace_op(local_response));
  passes.add(front_replacement_op("CaffeMVN").replace_op(mean_variance));
  passes.add(front_replacement_op("CaffeNormalize").replace_op(normalize));
}

}  // namespace mo::front::caffe
