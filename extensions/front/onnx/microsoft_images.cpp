#include "extensions/support/onnx_operands.hpp"
#include "extensions/support/window.hpp"
#include "ops/activations.hpp"
#include "ops/fourier.hpp"
#include "ops/group_normalization.hpp"
#include "ops/pooling.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"
#include "ops/unique.hpp"

namespace mo::front::onnx {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<std::int64_t>;

/// FusedConv(x, w, b, z) -> activation(Conv(x, w, b) + z)
Replacement fused_conv(const Node& node, Rewriter& rw) {
  const Value inputs[] = {node.input(0), node.input(1), node.input(2)};
  Value y = rw.create_node(front_op("OnnxConv", node.attributes()), inputs, 1).output();
  if (node.input(3)) y = rw.create(ops::Add{}, y, node.input(3));
  auto active = activated(node, rw, y, node.attr<std::string>("activation").value_or(""), node.attr<Numbers>("parameters").value_or(Numbers{}));
  if (!active) return std::move(active).error();
  return *active;
}

/// NhwcConv: data [N, H, W, C]; filters in the order of ONNX [O, I, H, W] or with the channels last [O, H, W, I], as different versions of ONNX
/// Runtime write them. kernel_shape says which of them it is.
Replacement conv_of_channels_last(const Node& node, Rewriter& rw) {
  const PartialShape filters = known_shape(node.input(1));
  const auto kernel = node.attr<Integers>("kernel").value_or(Integers{});
  const auto has_kernel_at = [&](std::size_t first) {
    if (kernel.empty() || filters.size() != kernel.size() + 2) return false;
    for (std::size_t i = 0; i < kernel.size(); ++i)
      if (!(filters[first + i] == Dimension(kernel[i]))) return false;
    return true;
  };
  const bool first = has_kernel_at(2);
  const bool last = has_kernel_at(1);
  if (first == last)
    return node.error("MO-ONNX-0447", "filters of shape {} may have their channels at dimension 1 or at the end", filters.to_string())
        .hint("export the model with kernel_shape and constant filters, or without this fusion");
  const std::size_t rank = filters.size();
  const Value w = last ? channels_to_first(rw, node.input(1), rank) : node.input(1);
  const Value inputs[] = {channels_to_first(rw, node.input(0), rank), w, node.input(2)};
  Value y = channels_to_last(rw, rw.create_node(front_op("OnnxConv", node.attributes()), inputs, 1).output(), rank);
  if (node.input(3)) y = rw.create(ops::Add{}, y, node.input(3));
  auto active = activated(node, rw, y, node.attr<std::string>("activation").value_or(""), node.attr<Numbers>("parameters").value_or(Numbers{}));
  if (!active) return std::move(active).error();
  return *active;
}

/// NhwcMaxPool: the inner op is chosen by the extractor of MaxPool.
Replacement max_pool_of_channels_last(const Node& node, Rewriter& rw) {
  const Window window = window_of(node);
  const std::size_t rank = window.spatial_rank() + 2;
  const Value x = channels_to_first(rw, node.input(0), rank);
  const auto fill = [&](auto op) {
    op.kernel = window.kernel;
    op.strides = window.strides;
    op.pads_begin = window.pads_begin;
    op.pads_end = window.pads_end;
    op.auto_pad = window.auto_pad;
    op.dilations = window.dilations;
    return op;
  };
  const bool ceil = node.attr<bool>("ceil_mode").value_or(false) && window.auto_pad == ops::AutoPad::explicit_pads;
  auto torch = fill(ops::v14::MaxPool{});
  torch.rounding_type = ops::TorchRoundingType::ceil_torch;
  return channels_to_last(rw, ceil ? rw.create(std::move(torch), x) : rw.create(fill(ops::v8::MaxPool{}), x), rank);
}

/// ConvTransposeWithDynamicPads(x, w, pads, b): pads cut off what a transposed convolution without pads gives.
Replacement conv_transpose_with_pads(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(1));
  if (!window) return std::move(window).error();
  const auto axes = static_cast<std::int64_t>(window->spatial_rank());
  const Value inputs[] = {node.input(0), node.input(1), node.input(3)};
  const Value y = rw.create_node(front_op("OnnxConvTranspose", node.attributes()), inputs, 1).output();
  if (!node.input(2)) return y;
  const Value pads = as_i64(rw, node.input(2));
  const Value begin = slice_along(rw, pads, 0, 0, axes);
  const Value sizes = slice_along(rw, shape_of(rw, y), 0, 2, axes + 2);
  const Value end = rw.create(ops::Subtract{}, sizes, slice_along(rw, pads, 0, axes, 2 * axes));
  Integers spatial;
  for (std::int64_t i = 0; i < axes; ++i) spatial.push_back(i + 2);
  return rw.create(ops::Slice{}, y, begin, end, rw.integers(Integers(window->spatial_rank(), 1)), rw.integers(spatial));
}

/// GroupNorm(x, gamma, beta) of [N, H, W, C] (or [N, C, H, W]), then x * sigmoid(x) when that is asked for
Replacement group_norm(const Node& node, Rewriter& rw) {
  const bool last = node.attr<bool>("channels_last").value_or(true);
  const ops::GroupNormalization op{.num_groups = node.attr<std::int64_t>("groups").value_or(1),
                                   .epsilon = node.attr<double>("epsilon").value_or(1e-5)};
  const Value data = last ? channels_to_first(rw, node.input(0), 4) : node.input(0);
  const Value gamma = as_type_of(rw, node.input(1), data);
  const Value beta = as_type_of(rw, node.input(2), data);
  Value y = rw.create(op, data, gamma, beta);
  if (node.attr<bool>("swish").value_or(false)) y = rw.create(ops::Swish{}, y);
  return last ? channels_to_last(rw, y, 4) : y;
}

/// ExpandDims(x, axis) -> Unsqueeze(x, axis)
Replacement expand_dims(const Node& node, Rewriter& rw) {
  return rw.create(ops::Unsqueeze{}, node.input(0), as_length(rw, as_i64(rw, node.input(1))));
}

/// Pad(x, pads, value), whose pads may be a row
Replacement pad(const Node& node, Rewriter& rw) {
  std::vector<Value> inputs = {node.input(0), flattened(rw, as_i64(rw, node.input(1)))};
  if (node.input(2)) inputs.push_back(node.input(2));
  return rw.create(front_op("OnnxPad", {{"mode", node.attribute("mode")}}), inputs);
}

/// Range(start, limit, delta): by default steps of 1
Replacement range(const Node& node, Rewriter& rw) {
  const Value delta = node.input(2) ? node.input(2) : number_like(rw, node.input(0), 1);
  return rw.create(front_op("OnnxRange"), node.input(0), node.input(1), delta);
}

/// Rfft(x) -> RDFT(x) over the last `axes` axes; Irfft(x) -> IRDFT(x) of complex numbers as a last dimension of 2
Replacement fourier(const Node& node, Rewriter& rw) {
  Integers axes;
  for (std::int64_t i = -node.attr<std::int64_t>("axes").value_or(1); i < 0; ++i) axes.push_back(i);
  if (node.attr<bool>("inverse").value_or(false)) return rw.create(ops::IRDFT{}, node.input(0), rw.integers(axes));
  return rw.create(ops::RDFT{}, node.input(0), rw.integers(axes));
}

/// Unique(x) -> what is different in the order of its first places, the place of each element's equal, how often each is there
Replacement unique(const Node& node, Rewriter& rw) {
  const Value inputs[] = {node.input(0)};
  const Node made =
      rw.create_node(ops::Unique{.sorted = false, .index_element_type = ElementType::i64, .count_element_type = ElementType::i64}, inputs, 4);
  Outputs outputs = {made.output(0), made.output(2), made.output(3)};
  outputs.resize(node.out_port_count());
  return outputs;
}

}  // namespace

void register_microsoft_images(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftFusedConv").replace_op(needing(2, fused_conv)));
  passes.add(front_replacement_op("MicrosoftNhwcConv").replace_op(needing(2, conv_of_channels_last)));
  passes.add(front_replacement_op("MicrosoftNhwcMaxPool").replace_op(needing(1, max_pool_of_channels_last)));
  passes.add(front_replacement_op("MicrosoftConvTransposeWithDynamicPads")
                 
                 .replace_op(needing(2, conv_transpose_with_pads)));
  passes.add(front_replacement_op("MicrosoftGroupNorm").replace_op(needing(3, group_norm)));
  passes.add(front_replacement_op("MicrosoftExpandDims").replace_op(needing(2, expand_dims)));
  passes.add(front_replacement_op("MicrosoftPad").run_before({"OnnxPad"}).replace_op(needing(2, pad)));
  passes.add(front_replacement_op("MicrosoftRange").run_before({"OnnxRange"}).replace_op(needing(2, range)));
  passes.add(front_replacement_op("MicrosoftFourier").replace_op(needing(1, fourier)));
  passes.add(front_replacement_op("MicrosoftUnique").replace_op(needing(1, unique)));
}

}  // namespace mo::front::onnx
