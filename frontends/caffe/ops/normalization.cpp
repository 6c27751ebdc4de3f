#include <cmath>

#include "frontends/caffe/ops/support/layer_ports.hpp"
#include "ops/grn.hpp"

namespace mo::caffe {
namespace {

/// Error MO-CAFFE-0104 for a number that is no real number, or below `least`.
Expected<double> real_of(const Layer& layer, std::string_view path, double fallback, double least) {
  const double number = layer.real(path, fallback);
  if (std::isfinite(number) && number >= least) return number;
  return bad_value(layer, path, number, fmt::format("a finite number that is not below {}", least));
}

/// Blobs: mean, variance, the factor that both are multiplied with; in forks that fuse the Scale layer also its scale and bias.
Expected<Op> batch_norm(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  node.ignore({"batch_norm_param.moving_average_fraction", "batch_norm_param.scale_bias", "batch_norm_param.use_weight_bias"});
  const bool stored = layer.flag("batch_norm_param.use_global_stats", true);
  if (stored) MO_TRY(expect_blobs(layer, 2, 5));
  if (layer.blobs() == 4) MO_TRY(expect_blobs(layer, 5));
  MO_ASSIGN(const double epsilon, real_of(layer, "batch_norm_param.eps", 1e-5, 0));
  return layer_op(layer, "CaffeBatchNorm", {{"eps", epsilon}, {"use_global_stats", stored}});
}

/// The layer of PSPNet (slope, bias, mean, variance) and the one of SegNet for inference (scale, shift).
Expected<Op> bn(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  node.ignore({"bn_param.frozen", "bn_param.momentum", "bn_param.slope_filler.type", "bn_param.slope_filler.value", "bn_param.slope_filler.std",
               "bn_param.slope_filler.min", "bn_param.slope_filler.max", "bn_param.slope_filler.mean", "bn_param.icnt"});
  const std::string mode = layer.text("bn_param.bn_mode", "INFERENCE", {"LEARN", "INFERENCE"});
  if (mode != "INFERENCE") return bad_value(layer, "bn_param.bn_mode", mode, "INFERENCE in a model that is converted");
  MO_ASSIGN(const double epsilon, real_of(layer, "bn_param.eps", 1e-5, 0));
  if (layer.blobs() != 2) MO_TRY(expect_blobs(layer, 4));
  return layer_op(layer, "CaffeBN", {{"eps", epsilon}});
}

/// Scale and Bias: an operand that is a blob, or the second bottom.
Expected<Op> along_axes(const Layer& layer, std::string_view message, bool scale, bool bias) {
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_TRY(expect_tops(layer, 1));
  const std::size_t operands = (scale ? 1 : 0) + (bias ? 1 : 0);
  MO_TRY(expect_blobs(layer, operands - (layer.bottoms() - 1)));
  const std::string path = fmt::format("{}.num_axes", message);
  const std::int64_t axes = layer.integer(path, 1);
  // Any tensor of the IR has far fewer dimensions.
  constexpr std::int64_t kMostAxes = 64;
  if (axes < -1 || axes > kMostAxes) return bad_value(layer, path, axes, "the number of axes, or -1 for all from `axis` on");
  return layer_op(layer, "CaffeScale",
                  {{"axis", layer.integer(fmt::format("{}.axis", message), 1)}, {"num_axes", axes}, {"scale", scale}, {"bias", bias}});
}

Expected<Op> scale(const FrameworkNode& node) {
  const Layer layer(node);
  return along_axes(layer, "scale_param", true, layer.flag("scale_param.bias_term", false));
}

Expected<Op> bias(const FrameworkNode& node) { return along_axes(Layer(node), "bias_param", false, true); }

Expected<Op> local_response(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const std::int64_t size, size_of(layer, "lrn_param.local_size", 5));
  if (size % 2 == 0) return bad_value(layer, "lrn_param.local_size", size, "an odd number");
  const std::string region = layer.text("lrn_param.norm_region", "ACROSS_CHANNELS", {"ACROSS_CHANNELS", "WITHIN_CHANNEL"});
  const bool within = region == "WITHIN_CHANNEL";
  if (!within && region != "ACROSS_CHANNELS") return bad_value(layer, "lrn_param.norm_region", region, "one of ACROSS_CHANNELS, WITHIN_CHANNEL");
  // Caffe LRN: within a channel the bias is 1, whatever `k` says.
  const double k = layer.real("lrn_param.k", 1);
  return layer_op(layer, "CaffeLRN",
                  {{"size", size},
                   {"alpha", layer.real("lrn_param.alpha", 1)},
                   {"beta", layer.real("lrn_param.beta", 0.75)},
                   {"bias", within ? 1.0 : k},
                   {"within_channel", within}});
}

Expected<Op> mean_variance(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const double epsilon, real_of(layer, "mvn_param.eps", 1e-9, 0));
  return layer_op(layer, "CaffeMVN",
                  {{"eps", epsilon},
                   {"normalize_variance", layer.flag("mvn_param.normalize_variance", true)},
                   {"across_channels", layer.flag("mvn_param.across_channels", false)}});
}

Expected<Op> normalize(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_TRY(expect_blobs(layer, 1));
  MO_ASSIGN(const double epsilon, real_of(layer, "norm_param.eps", 1e-10, 0));
  return layer_op(layer, "CaffeNormalize",
                  {{"eps", epsilon},
                   {"across_spatial", layer.flag("norm_param.across_spatial", true)},
                   {"channel_shared", layer.flag("norm_param.channel_shared", true)}});
}

Expected<Op> global_response(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  return ops::GRN{.bias = layer.real("grn_param.bias", 1)};
}

}  // namespace

void register_normalization(OperatorTable& table) {
  table.extract("BatchNorm", batch_norm);
  table.extract("BN", bn);
  table.extract("Scale", scale);
  table.extract("Bias", bias);
  table.extract("LRN", local_response);
  table.extract("MVN", mean_variance);
  table.extract("Normalize", normalize);
  table.extract("GRN", global_response);
}

}  // namespace mo::caffe
