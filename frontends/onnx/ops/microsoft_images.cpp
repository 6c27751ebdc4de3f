#include "frontends/onnx/ops/support/activated.hpp"
#include "frontends/onnx/ops/support/channels.hpp"
#include "frontends/onnx/ops/support/convolution.hpp"
#include "frontends/onnx/ops/support/pooling.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/grid_sample.hpp"
#include "ops/group_normalization.hpp"
#include "ops/slice.hpp"

namespace mo::onnx {
namespace {

/// activation(y + z), what follows a fused convolution; z is input 3 and may be missing.
Replacement fused_tail(const FrameworkNode& node, Rewriter& rw, Value y) {
  if (node.input(3)) y = rw.create(ops::Add{}, y, node.input(3));
  MO_ASSIGN(const Value active,
            activated(node, rw, y, node.attr("activation", ""), node.attr("activation_params", std::vector<double>{})));
  return active;
}

/// FusedConv(x, w, b, z) -> activation(Conv(x, w, b) + z)
Replacement fused_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Value y, make_convolution(node, rw, node.input(0), node.input(1), node.input(2)));
  return fused_tail(node, rw, y);
}

/// NhwcConv: data [N, H, W, C]; filters in the order of ONNX [O, I, H, W] or with the channels last [O, H, W, I], as
/// different versions of ONNX Runtime write them. kernel_shape says which of them it is.
Replacement conv_of_channels_last(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const PartialShape filters = node.input_type(1).shape;
  const auto kernel = node.attr("kernel_shape", std::vector<std::int64_t>{});
  const auto has_kernel_at = [&](std::size_t first) {
    if (kernel.empty() || filters.size() != kernel.size() + 2) return false;
    for (std::size_t i = 0; i < kernel.size(); ++i)
      if (!(filters[first + i] == Dimension(kernel[i]))) return false;
    return true;
  };
  const bool first = has_kernel_at(2);
  const bool last = has_kernel_at(1);
  if (first == last)
    return node
        .error("MO-ONNX-0447", "filters of shape {} may have their channels at dimension 1 or at the end",
               filters.to_string())
        .hint("export the model with kernel_shape and constant filters, or without this fusion");
  const std::size_t rank = filters.size();
  const Value w = last ? channels_to_first(rw, node.input(1), rank) : node.input(1);
  MO_ASSIGN(const Value y, make_convolution(node, rw, channels_to_first(rw, node.input(0), rank), w, node.input(2)));
  return fused_tail(node, rw, channels_to_last(rw, y, rank));
}

Replacement max_pool_of_channels_last(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const Window window, pooling_window(node));
  const std::size_t rank = window.spatial_rank() + 2;
  const Value x = channels_to_first(rw, node.input(0), rank);
  return channels_to_last(rw, rw.create(max_pool_op(window, rounding_of(node, window)), x), rank);
}

/// ConvTransposeWithDynamicPads(x, w, pads, b): pads cut off what a transposed convolution without pads gives.
Replacement conv_transpose_with_pads(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const ops::AutoPad auto_pad, read_auto_pad(node));
  if (auto_pad != ops::AutoPad::explicit_pads && node.has_input(2))
    return node.error("MO-ONNX-0444", "both auto_pad and pads are given")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  MO_ASSIGN(const Window window, convolution_window(node, node.input(1)));
  MO_ASSIGN(const Value y, make_transposed_convolution(node, rw, node.input(0), node.input(1), node.input(3)));
  if (!node.input(2)) return y;
  const auto axes = static_cast<std::int64_t>(window.spatial_rank());
  const Value pads = as_i64(rw, node.input(2));
  const Value begin = slice_along(rw, pads, 0, 0, axes);
  const Value sizes = slice_along(rw, shape_of(rw, y), 0, 2, axes + 2);
  const Value end = rw.create(ops::Subtract{}, sizes, slice_along(rw, pads, 0, axes, 2 * axes));
  std::vector<std::int64_t> spatial;
  for (std::int64_t i = 0; i < axes; ++i) spatial.push_back(i + 2);
  const Value ones = rw.integers(std::vector<std::int64_t>(window.spatial_rank(), 1));
  return rw.create(ops::Slice{}, y, begin, end, ones, rw.integers(spatial));
}

/// GroupNorm(x, gamma, beta) of [N, H, W, C] (or [N, C, H, W]), then x * sigmoid(x) when that is asked for
Replacement group_norm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const auto groups = node.required<std::int64_t>("groups");
  if (node.failure()) return *node.failure();
  const auto activation = node.attr<std::int64_t>("activation", 0);
  if (groups < 1 || (activation != 0 && activation != 1))
    return node.error("MO-ONNX-0449", "groups is {}, activation is {}", groups, activation)
        .hint("the activation is none (0) or SiLU (1)");
  const bool last = node.attr("channels_last", true);
  const Value data = last ? channels_to_first(rw, node.input(0), 4) : node.input(0);
  const Value gamma = as_type_of(rw, node.input(1), data);
  const Value beta = as_type_of(rw, node.input(2), data);
  Value y = rw.create(ops::GroupNormalization{.num_groups = groups, .epsilon = node.attr("epsilon", 1e-5)}, data, gamma,
                      beta);
  if (activation == 1) y = rw.create(ops::Swish{}, y);
  return last ? channels_to_last(rw, y, 4) : y;
}

Expected<Op> microsoft_grid_sample(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "bilinear");
  const std::string padding = node.attr("padding_mode", "zeros");
  if ((mode != "bilinear" && mode != "nearest" && mode != "bicubic") ||
      (padding != "zeros" && padding != "border" && padding != "reflection"))
    return node.error("MO-ONNX-0214", "mode is \"{}\", padding_mode is \"{}\"", mode, padding)
        .hint("modes are bilinear, nearest and bicubic, paddings zeros, border and reflection");
  Op op = ops::GridSample{};
  MO_TRY(op.set_attribute("align_corners", node.attr("align_corners", false)));
  MO_TRY(op.set_attribute("mode", mode));
  MO_TRY(op.set_attribute("padding_mode", padding));
  return op;
}

}  // namespace

/// Convolutions, poolings and what else concerns images (domain com.microsoft).
void register_microsoft_images(OperatorTable& table) {
  table.translate("com.microsoft::FusedConv", since(1), fused_conv);
  table.translate("com.microsoft::NhwcConv", since(1), conv_of_channels_last);
  table.translate("com.microsoft::NhwcFusedConv", since(1), conv_of_channels_last);
  table.translate("com.microsoft::NhwcMaxPool", since(1), max_pool_of_channels_last);
  table.translate("com.microsoft::ConvTransposeWithDynamicPads", since(1), conv_transpose_with_pads);
  table.translate("com.microsoft::GroupNorm", since(1), group_norm);
  table.extract("com.microsoft::GridSample", since(1), microsoft_grid_sample);
}

}  // namespace mo::onnx
