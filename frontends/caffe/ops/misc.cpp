#include <optional>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "ops/shuffle_channels.hpp"

namespace mo::caffe {
namespace {

/// Bottoms: scores [T, N, C] and whether each sequence goes on [T, N]: 0 in its first step, then 1. Top: [N, T, 1, 1].
Expected<Op> extract_ctc_greedy_decoder(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const std::int64_t blank, integer_in(layer, "ctc_decoder_param.blank_index", -1, -1, kLargestSize));
  return front_op("CaffeCTCGreedyDecoder", {{"blank", blank}, {"merge_repeated", layer.flag("ctc_decoder_param.ctc_merge_repeated", true)}});
}

/// Bottoms: the image, and those elements of the transformation (2 x 3, row by row) that the layer does not fix by itself.
Expected<Op> extract_spatial_transformer(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  node.ignore({"st_param.to_compute_dU"});  // of the gradient
  const std::string transform = layer.text("st_param.transform_type", "affine");
  const std::string sampler = layer.text("st_param.sampler_type", "bilinear");
  if (transform != "affine" || sampler != "bilinear" || layer.flag("st_param.de_transform", false))
    return layer
        .error("MO-CAFFE-0250", "the transformation is {} ({} sampling{})", transform, sampler,
               layer.flag("st_param.de_transform", false) ? ", inverted" : "")
        .hint("affine transformations with bilinear sampling can be expressed");
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "st_param.output_H", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "st_param.output_W", 0, 0, kLargestSize));
  AttributeMap attributes{{"height", height}, {"width", width}};
  for (const char row : {'1', '2'})
    for (const char column : {'1', '2', '3'}) {
      const std::string name = fmt::format("theta_{}_{}", row, column);
      if (!layer.has("st_param." + name)) continue;
      MO_ASSIGN(const double element, finite_real(layer, "st_param." + name, 0));
      attributes.set(name, element);
    }
  return front_op("CaffeSpatialTransformer", std::move(attributes));
}

Expected<Op> extract_shuffle_channel(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 1));
  MO_ASSIGN(const std::int64_t group, integer_in(layer, "shuffle_channel_param.group", 0, 1, kLargestSize));
  return ops::ShuffleChannels{.axis = 1, .group = group};
}

}  // namespace

void register_misc(OperatorTable& table) {
  table.extract("CTCGreedyDecoder", extract_ctc_greedy_decoder);
  table.extract("SpatialTransformer", extract_spatial_transformer);
  table.extract("ShuffleChannel", extract_shuffle_channel);
}

}  // namespace mo::caffe
