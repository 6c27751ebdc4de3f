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

/// CausalConvWithState-27(x [B, C, L], filters [C, 1, K], bias, state [B, C, K - 1]): each channel, after the state or
/// zeros, convolved with its filter. Outputs: [B, C, L], and the last K - 1 elements as the next state.
Replacement causal_convolution(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const Value filters = node.input(1);
  const std::string activation = node.attr("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return node.error("MO-ONNX-0446", "the activation \"{}\" is not one of ONNX", activation)
        .hint("activations are none, silu and swish");
  const PartialShape& shape = filters.type().shape;
  if (shape.has_rank() && shape.size() != 3)
    return node.error("MO-ONNX-0442", "the filters have {} dimensions", shape.size())
        .hint("CausalConvWithState has filters [channels, 1, length]");
  const Value state_length = rw.create(ops::Subtract{}, length_along(rw, filters, 2), rw.integers({1}));
  Value state = node.input(3);
  if (!state) {
    const Value size = join(rw, {length_along(rw, x, 0), length_along(rw, x, 1), state_length});
    state = repeat(rw, number_like(rw, x, 0), size);
  }
  const Value extended = rw.create(ops::Concat{.axis = 2}, state, x);
  // A group for each channel: [C, 1, K] -> [C, 1, 1, K].
  const Value groups = rw.create(ops::Unsqueeze{}, filters, rw.integers({1}));
  const Value sums = rw.create(
      ops::GroupConvolution{.strides = {1}, .pads_begin = {0}, .pads_end = {0}, .dilations = {1}}, extended, groups);
  Value y = with_channel_bias(rw, sums, node.input(2), 1);
  if (activation != "none") y = rw.create(ops::Swish{}, y);
  const Value end = length_along(rw, extended, 2);
  const Value begin = rw.create(ops::Subtract{}, end, state_length);
  Outputs outputs(node.output_count());
  outputs[0] = y;
  if (outputs.size() > 1)
    outputs[1] = rw.create(ops::Slice{}, extended, begin, end, rw.integers({1}), rw.integers({2}));
  return outputs;
}

}  // namespace

void register_causal_convolution(OperatorTable& table) {
  table.translate("CausalConvWithState", since(27), causal_convolution);
}

}  // namespace mo::onnx
