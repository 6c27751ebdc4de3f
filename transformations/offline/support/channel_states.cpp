#include "transformations/offline/support/channel_states.hpp"

#include <algorithm>

#include "core/execution/recipe.hpp"
#include "core/graph/copying.hpp"
#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/pad.hpp"

namespace mo::transformations {
namespace {

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// What the op makes of a zero, with the other inputs as they are; each has one element.
ChannelState state_of_zero(const Node& node) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value input = node.input(i);
    if (i == 0) {
      auto zero = from_reals(input.type().element_type, {}, {0.0});
      if (!zero) return ChannelState::any;
      inputs.push_back(*std::move(zero));
      continue;
    }
    const auto* const constant = input ? input.node().as<Const>() : nullptr;
    if (!constant || constant->value.element_count() != 1) return ChannelState::constant;
    inputs.push_back(constant->value.reshaped({}));
  }
  auto made =
      make_recipe(copy_op(node), std::move(inputs), 1, 0, {node.output_type().element_type, PartialShape(Shape{})});
  auto loaded = made ? made->load() : std::move(made);
  return loaded && all_zero(loaded->bytes()) ? ChannelState::zero : ChannelState::constant;
}

}  // namespace

Expected<std::vector<ChannelState>> states_of(const Tensor& tensor, std::size_t axis) {
  const std::size_t width = bit_width(tensor.element_type()) / 8;
  if (axis >= tensor.shape().size() || width == 0 || tensor.element_count() == 0) return std::vector<ChannelState>();
  MO_ASSIGN(const Tensor loaded, tensor.load());
  const auto size = static_cast<std::size_t>(tensor.shape()[axis]);
  std::size_t row = width;
  for (std::size_t i = axis + 1; i < tensor.shape().size(); ++i) row *= static_cast<std::size_t>(tensor.shape()[i]);
  std::vector<ChannelState> states(size, ChannelState::zero);
  const std::span<const std::byte> bytes = loaded.bytes();
  for (std::size_t at = 0, channel = 0; at < bytes.size(); at += row, channel = (channel + 1) % size)
    if (states[channel] == ChannelState::zero && !all_zero(bytes.subspan(at, row))) states[channel] = ChannelState::any;
  return states;
}

bool is_zero(const Value& value) {
  const auto numbers = value.node().is<Const>() ? reals_of(value) : std::nullopt;
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double x) { return x == 0; });
}

bool is_made_of_constants(const Value& value) {
  constexpr int kMostNodes = 64;
  std::vector<Value> open = {value};
  for (int i = 0; !open.empty(); ++i) {
    const Value next = open.back();
    open.pop_back();
    if (!next || i == kMostNodes) return false;
    const Node node = next.node();
    if (node.is<Const>()) continue;
    if (!node.is("Reshape") && !node.op_type().traits.elementwise) return false;
    // The shape that a Reshape gets may be computed of anything.
    for (std::size_t p = 0; p < (node.is("Reshape") ? 1 : node.in_port_count()); ++p) open.push_back(node.input(p));
  }
  return true;
}

bool keeps_channels(const Node& node) {
  return node.is("MaxPool") || node.is("AvgPool") || node.is("Pad") || node.is("Interpolate");
}

bool keeps_zeros(const Node& node, std::size_t axis) {
  for (std::size_t i = 1; i < node.out_port_count(); ++i)
    if (!node.out_port(i).disconnected()) return false;
  const bool is_pad = node.is<ops::v1::Pad>() || node.is<ops::v12::Pad>();
  if (!is_pad) return !node.is("Pad");
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const auto widths = integers_of(node.input(i));
    if (!widths || axis >= widths->size() || (*widths)[axis] != 0) return false;
  }
  return node.attr<std::string>("pad_mode") != "constant" || node.in_port_count() < 4 || !node.input(3) ||
         is_zero(node.input(3));
}

bool broadcasts_as_numpy(const Node& node) {
  const auto mode = node.attr<std::string>("auto_broadcast");
  return !mode || *mode == "numpy" || *mode == "none";
}

std::optional<std::size_t> aligned_axis(const Node& node, std::size_t i, std::size_t output_axis) {
  const std::int64_t rank = *node.input_type(i).rank();
  const std::int64_t output_rank = *node.output_type().rank();
  // A vector of slopes belongs to the channels.
  if (i == 1 && node.is("PReLU") && rank == 1 && output_rank > 1)
    return output_axis == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  const std::int64_t axis = static_cast<std::int64_t>(output_axis) - (output_rank - rank);
  return axis >= 0 ? std::optional(static_cast<std::size_t>(axis)) : std::nullopt;
}

ChannelState state_after(const Node& node, const std::vector<ChannelState>& inputs) {
  const auto is_zero_state = [](ChannelState state) { return state == ChannelState::zero; };
  if (node.is<ops::Multiply>() && std::any_of(inputs.begin(), inputs.end(), is_zero_state)) return ChannelState::zero;
  if ((node.is<ops::Divide>() || node.is("PReLU")) && inputs[0] == ChannelState::zero) return ChannelState::zero;
  const bool all = std::all_of(inputs.begin(), inputs.end(), is_zero_state);
  if (node.is<ops::Add>() || node.is<ops::Subtract>() || node.is<ops::Maximum>() || node.is<ops::Minimum>())
    if (all) return ChannelState::zero;
  if ((inputs.size() == 1 || node.is<ops::FakeQuantize>()) && inputs[0] == ChannelState::zero)
    return state_of_zero(node);
  return std::any_of(inputs.begin(), inputs.end(), [](ChannelState s) { return s == ChannelState::any; })
             ? ChannelState::any
             : ChannelState::constant;
}

}  // namespace mo::transformations
