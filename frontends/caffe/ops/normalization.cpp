#include <cmath>
#include <utility>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/grn.hpp"
#include "ops/lrn.hpp"
#include "ops/mvn.hpp"
#include "ops/normalize_l2.hpp"

namespace mo::caffe {
namespace {

/// Error MO-CAFFE-0104 for an epsilon that is no real number, or negative.
Expected<double> epsilon_of(const Layer& layer, std::string_view path, double fallback) {
  const double number = layer.real(path, fallback);
  if (std::isfinite(number) && number >= 0) return number;
  return bad_value(layer, path, number, "a finite number that is not below 0");
}

Expected<void> expect_one_bottom_and_top(const Layer& layer) {
  MO_TRY(expect_bottoms(layer, 1));
  return expect_tops(layer, 1);
}

/// As many times `number` as `like` has elements.
Value filled_like(Rewriter& rw, const Value& like, float number) {
  const std::int64_t count = type_of(like).shape.element_count().value_or(1);
  return rw.constant(Tensor::vector(std::vector<float>(static_cast<std::size_t>(count), number)));
}

/// Caffe: mean and variance are stored as sums; the third blob says how much they were weighted. 0: nothing was summed
/// up.
Expected<double> statistics_factor(const Layer& layer) {
  if (layer.blobs() < 3) return 1.0;
  const auto sum = reals_of(layer.blob(2));
  if (!sum || sum->size() != 1)
    return layer.error("MO-CAFFE-0107", "blob 2 of the layer, the factor of mean and variance, is not one number")
        .hint("check the .caffemodel");
  return sum->front() == 0 ? 0.0 : 1 / sum->front();
}

/// Blob `i`, with as many elements as `like`.
Expected<Value> channel_blob(const Layer& layer, Rewriter& rw, std::size_t i, const Value& like) {
  return shaped_blob(layer, rw, i, {type_of(like).shape.element_count().value_or(1)});
}

/// The axes of the batch and of the image: all but the channels.
Value all_but_channels(Rewriter& rw, const Value& x) {
  const Value image = axes_from(rw, x, 2);
  const auto known = integers_of(image);
  if (!known) return join(rw, {rw.integers({0}), image});
  Integers axes = {0};
  axes.insert(axes.end(), known->begin(), known->end());
  return rw.integers(axes);
}

/// BatchNorm -> BatchNormInference; with the statistics of the batch itself (use_global_stats: false) MVN. Blobs: mean,
/// variance, the factor that both are multiplied with; in forks that fuse the Scale layer also its scale and bias.
Replacement batch_norm(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  node.ignore({"batch_norm_param.moving_average_fraction"}, "of the statistics, which change in training only");
  node.ignore({"batch_norm_param.scale_bias", "batch_norm_param.use_weight_bias"},
              "whether there are blobs of scale and bias, which follows from their number");
  const bool stored = layer.flag("batch_norm_param.use_global_stats", true);
  if (stored) MO_TRY(expect_blobs(layer, 2, 5));
  if (layer.blobs() == 4) MO_TRY(expect_blobs(layer, 5));
  MO_ASSIGN(const double epsilon, epsilon_of(layer, "batch_norm_param.eps", 1e-5));
  const Value x = layer.bottom(0);
  if (!stored)
    return rw.create(ops::MVN{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x,
                     all_but_channels(rw, x));
  MO_ASSIGN(Value mean, vector_blob(layer, rw, 0));
  MO_ASSIGN(Value variance, channel_blob(layer, rw, 1, mean));
  MO_ASSIGN(const double factor, statistics_factor(layer));
  if (factor == 0) {
    mean = filled_like(rw, mean, 0);
    variance = filled_like(rw, mean, 0);
  } else if (factor != 1) {
    mean = rw.fold(ops::Multiply{}, mean, real(rw, factor));
    variance = rw.fold(ops::Multiply{}, variance, real(rw, factor));
  }
  const bool scales = layer.blobs() == 5;
  MO_ASSIGN(const Value gamma, scales ? channel_blob(layer, rw, 3, mean) : filled_like(rw, mean, 1));
  MO_ASSIGN(const Value beta, scales ? channel_blob(layer, rw, 4, mean) : filled_like(rw, mean, 0));
  return rw.create(ops::BatchNormInference{.epsilon = epsilon}, {x, gamma, beta, mean, variance});
}

/// The layer of PSPNet (slope, bias, mean, variance) -> BatchNormInference; the one of SegNet for inference (scale,
/// shift) -> x * scale + shift
Replacement bn(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  node.ignore({"bn_param.frozen", "bn_param.momentum", "bn_param.icnt"},
              "of the statistics, which change in training only");
  const std::string mode = layer.text("bn_param.bn_mode", "INFERENCE", {"LEARN", "INFERENCE"});
  if (mode != "INFERENCE") return bad_value(layer, "bn_param.bn_mode", mode, "INFERENCE in a model that is converted");
  MO_ASSIGN(const double epsilon, epsilon_of(layer, "bn_param.eps", 1e-5));
  if (layer.blobs() != 2) MO_TRY(expect_blobs(layer, 4));
  const Value x = layer.bottom(0);
  MO_ASSIGN(const Value slope, vector_blob(layer, rw, 0));
  MO_ASSIGN(const Value bias, channel_blob(layer, rw, 1, slope));
  if (layer.blobs() == 2)
    return rw.create(ops::Add{}, rw.create(ops::Multiply{}, x, behind_axis(rw, slope, x, 1)),
                     behind_axis(rw, bias, x, 1));
  MO_ASSIGN(const Value mean, channel_blob(layer, rw, 2, slope));
  MO_ASSIGN(const Value variance, channel_blob(layer, rw, 3, slope));
  return rw.create(ops::BatchNormInference{.epsilon = epsilon}, {x, slope, bias, mean, variance});
}

/// Operand of Scale or Bias that is a blob: as many dimensions as `num_axes` says.
Expected<Value> operand_blob(const Layer& layer, Rewriter& rw, std::size_t i, std::int64_t axes) {
  if (axes == 0) return shaped_blob(layer, rw, i, {});
  if (axes == 1) return vector_blob(layer, rw, i);
  const PartialShape& known = type_of(layer.blob(i)).shape;
  const auto shape = known.to_shape();
  if (!shape || (axes > 1 && static_cast<std::int64_t>(shape->size()) != axes))
    return layer.error("MO-CAFFE-0107", "blob {} of the layer has shape {}, num_axes is {}", i, known.to_string(), axes)
        .hint("check that the .caffemodel belongs to the prototxt");
  return shaped_blob(layer, rw, i, *shape);
}

/// Scale(x, scale) -> x * scale + bias, Bias(x, bias) -> x + bias; the operands lie along the axes from `axis` on.
/// Without a blob the first operand is the second bottom.
Replacement along_axes(const Layer& layer, Rewriter& rw, std::string_view message, bool scales, bool shifts) {
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_TRY(expect_tops(layer, 1));
  const std::size_t operands = (scales ? 1 : 0) + (shifts ? 1 : 0);
  MO_TRY(expect_blobs(layer, operands - (layer.bottoms() - 1)));
  // Any tensor of the IR has far fewer dimensions.
  constexpr std::int64_t kMostAxes = 64;
  const std::string axes_path = fmt::format("{}.num_axes", message);
  const std::int64_t axes = layer.integer(axes_path, 1);
  if (axes < -1 || axes > kMostAxes)
    return bad_value(layer, axes_path, axes, "the number of axes, or -1 for all from `axis` on");
  const std::string axis_path = fmt::format("{}.axis", message);
  const std::int64_t axis = layer.integer(axis_path, 1);
  if (axis < -kMostAxes || axis > kMostAxes)
    return bad_value(layer, axis_path, axis, "an axis of the bottom; a negative one counts from the back");
  const Value x = layer.bottom(0);
  Value second = layer.bottoms() > 1 ? layer.bottom(1) : Value();
  std::size_t next = 0;
  const auto operand = [&]() -> Expected<Value> {
    if (second) return std::exchange(second, Value());
    return operand_blob(layer, rw, next++, axes);
  };
  Value y = x;
  if (scales) {
    MO_ASSIGN(const Value factor, operand());
    y = rw.create(ops::Multiply{}, y, behind_axis(rw, factor, x, axis));
  }
  if (shifts) {
    MO_ASSIGN(const Value shift, operand());
    y = rw.create(ops::Add{}, y, behind_axis(rw, shift, x, axis));
  }
  return y;
}

Replacement scale(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  return along_axes(layer, rw, "scale_param", true, layer.flag("scale_param.bias_term", false));
}

Replacement bias(const FrameworkNode& node, Rewriter& rw) {
  return along_axes(Layer(node), rw, "bias_param", false, true);
}

/// LRN: over the channels, or over squares of the image (Caffe divides alpha by their size, as the IR does).
Replacement local_response(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  MO_ASSIGN(const std::int64_t size, size_of(layer, "lrn_param.local_size", 5));
  if (size % 2 == 0) return bad_value(layer, "lrn_param.local_size", size, "an odd number");
  const std::string region =
      layer.text("lrn_param.norm_region", "ACROSS_CHANNELS", {"ACROSS_CHANNELS", "WITHIN_CHANNEL"});
  const bool within = region == "WITHIN_CHANNEL";
  if (!within && region != "ACROSS_CHANNELS")
    return bad_value(layer, "lrn_param.norm_region", region, "one of ACROSS_CHANNELS, WITHIN_CHANNEL");
  // Caffe LRN: within a channel the bias is 1, whatever `k` says.
  const double k = layer.real("lrn_param.k", 1);
  const ops::LRN op{.alpha = layer.real("lrn_param.alpha", 1),
                    .beta = layer.real("lrn_param.beta", 0.75),
                    .bias = within ? 1.0 : k,
                    .size = size};
  return rw.create(op, layer.bottom(0), rw.integers(within ? Integers{2, 3} : Integers{1}));
}

/// MVN over the image, or the whole sample. Caffe adds eps to the deviation, after the root.
Replacement mean_variance(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  MO_ASSIGN(const double epsilon, epsilon_of(layer, "mvn_param.eps", 1e-9));
  const ops::MVN op{.eps = epsilon,
                    .eps_mode = ops::MVNEpsMode::outside_sqrt,
                    .normalize_variance = layer.flag("mvn_param.normalize_variance", true)};
  const Value x = layer.bottom(0);
  return rw.create(op, x, axes_from(rw, x, layer.flag("mvn_param.across_channels", false) ? 1 : 2));
}

/// Normalize(x, scale) -> NormalizeL2(x) * scale
Replacement normalize(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  MO_TRY(expect_blobs(layer, 1));
  MO_ASSIGN(const double epsilon, epsilon_of(layer, "norm_param.eps", 1e-10));
  const Value x = layer.bottom(0);
  const bool shared = layer.flag("norm_param.channel_shared", true);
  MO_ASSIGN(const Value factor, shaped_blob(layer, rw, 0, shared ? Integers{} : Integers{-1}));
  const Value axes = layer.flag("norm_param.across_spatial", true) ? axes_from(rw, x, 1) : rw.integers({1});
  const Value y = rw.create(ops::NormalizeL2{.eps = epsilon, .eps_mode = ops::NormalizeL2EpsMode::add}, x, axes);
  return rw.create(ops::Multiply{}, y, behind_axis(rw, factor, x, 1));
}

Expected<Op> global_response(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_one_bottom_and_top(layer));
  return ops::GRN{.bias = layer.real("grn_param.bias", 1)};
}

}  // namespace

void register_normalization(OperatorTable& table) {
  table.translate("BatchNorm", batch_norm);
  table.translate("BN", bn);
  table.translate("Scale", scale);
  table.translate("Bias", bias);
  table.translate("LRN", local_response);
  table.translate("MVN", mean_variance);
  table.translate("Normalize", normalize);
  table.extract("GRN", global_response);
}

}  // namespace mo::caffe
