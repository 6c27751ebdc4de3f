#include <fmt/format.h>

#include <array>
#include <utility>

#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/channels.hpp"
#include "frontends/onnx/ops/support/convolution.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

constexpr std::int64_t kMostDilation = std::int64_t{1} << 31;

/// What com.microsoft adds and has no counterpart. Error MO-ONNX-0444.
Expected<void> expect_one_state_of_one_axis(const FrameworkNode& node) {
  if (const auto axes = node.attr<std::int64_t>("ndim", 1); axes != 1)
    return not_expressible(node, fmt::format("a convolution of {} dimensions", axes));
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kDefaults{{{"state_window", 0},
                                                                                {"state_update_capacity", 0},
                                                                                {"state_channels_last", -1},
                                                                                {"state_length", 0},
                                                                                {"input_channel_offset", 0},
                                                                                {"input_channels", 0}}};
  for (const auto& [name, value] : kDefaults)
    if (const auto given = node.attr<std::int64_t>(name, value); given != value)
      return not_expressible(node, fmt::format("{} is {}", name, given));
  return {};
}

/// What only com.microsoft's operator has: with `channels_last` x is [B, L, C] and the states are [B, length, C].
struct Arrangement {
  std::int64_t dilation = 1;
  bool channels_last = false;
};

/// CausalConvWithState-27(x [B, C, L], filters [C, 1, K], bias, state [B, C, (K - 1) * dilation]): each channel, after
/// the state or zeros, convolved with its filter. Outputs: [B, C, L], and the last elements as the next state.
Replacement convolve(const FrameworkNode& node, Rewriter& rw, const Arrangement& arrangement) {
  const auto [dilation, channels_last] = arrangement;
  const Value x = channels_last ? channels_to_first(rw, node.input(0), 3) : node.input(0);
  const Value filters = node.input(1);
  const std::string activation = node.attr("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return node.error("MO-ONNX-0446", "the activation \"{}\" is not one of ONNX", activation)
        .hint("activations are none, silu and swish");
  const PartialShape& shape = filters.type().shape;
  if (shape.has_rank() && shape.size() != 3)
    return node.error("MO-ONNX-0442", "the filters have {} dimensions", shape.size())
        .hint("CausalConvWithState has filters [channels, 1, length]");
  Value state_length = rw.create(ops::Subtract{}, length_along(rw, filters, 2), rw.integers({1}));
  if (dilation != 1) state_length = rw.create(ops::Multiply{}, state_length, rw.integers({dilation}));
  Value state = node.input(3);
  if (state && channels_last) state = channels_to_first(rw, state, 3);
  if (!state) {
    const Value size = join(rw, {length_along(rw, x, 0), length_along(rw, x, 1), state_length});
    state = repeat(rw, number_like(rw, x, 0), size);
  }
  const Value extended = rw.create(ops::Concat{.axis = 2}, state, x);
  // A group for each channel: [C, 1, K] -> [C, 1, 1, K].
  const Value groups = rw.create(ops::Unsqueeze{}, filters, rw.integers({1}));
  const Value sums =
      rw.create(ops::GroupConvolution{.strides = {1}, .pads_begin = {0}, .pads_end = {0}, .dilations = {dilation}},
                extended, groups);
  Value y = with_channel_bias(rw, sums, node.input(2), 1);
  if (activation != "none") y = rw.create(ops::Swish{}, y);
  const Value end = length_along(rw, extended, 2);
  const Value begin = rw.create(ops::Subtract{}, end, state_length);
  Outputs outputs(node.output_count());
  outputs[0] = channels_last ? channels_to_last(rw, y, 3) : y;
  if (outputs.size() > 1) {
    outputs[1] = rw.create(ops::Slice{}, extended, begin, end, rw.integers({1}), rw.integers({2}));
    if (channels_last) outputs[1] = channels_to_last(rw, outputs[1], 3);
  }
  return outputs;
}

Replacement causal_convolution(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return convolve(node, rw, {});
}

Replacement microsoft_causal_convolution(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_TRY(expect_one_state_of_one_axis(node));
  const Arrangement arrangement{.dilation = node.attr<std::int64_t>("dilation", 1),
                                .channels_last = node.attr("channels_last", false)};
  if (arrangement.channels_last) {
    MO_ASSIGN(const std::int64_t rank, required_rank(node, 0));
    if (rank != 3) return not_expressible(node, fmt::format("channels in {} dimensions", rank - 2));
  }
  if (arrangement.dilation < 1 || arrangement.dilation > kMostDilation)
    return node.error("MO-ONNX-0449", "dilation is {}", arrangement.dilation)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return convolve(node, rw, arrangement);
}

}  // namespace

void register_causal_convolution(OperatorTable& table) {
  table.translate("CausalConvWithState", since(27), causal_convolution);
  table.translate("com.microsoft::CausalConvWithState", since(1), microsoft_causal_convolution);
}

}  // namespace mo::onnx
