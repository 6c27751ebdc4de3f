#include "phases/middle/channel_axis.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/tensor/convert.hpp"
#include "ops/transpose.hpp"
#include "phases/middle/layout/layout_change.hpp"

namespace mo::phases {
namespace {

/// An image is read near its input; ops further away do not indicate its channels.
constexpr std::size_t kMaxVisited = 64;

using Order = std::vector<std::size_t>;  ///< which dimension of the input each dimension of a tensor is

std::optional<Order> transposed(const Node& node, const Order& order) {
  const Tensor* const list = node.input(1) ? node.input(1).data().value() : nullptr;
  const auto numbers = list ? to_integers(*list) : Expected<std::vector<std::int64_t>>(std::vector<std::int64_t>());
  if (!numbers || numbers->size() != order.size()) return std::nullopt;
  Order made;
  for (const std::int64_t axis : *numbers) {
    const auto place = normalize_axis(axis, static_cast<std::int64_t>(order.size()));
    if (!place) return std::nullopt;
    made.push_back(order[static_cast<std::size_t>(*place)]);
  }
  return made;
}

/// What all ops near the input that know channels agree upon.
std::optional<std::size_t> axis_of_readers(const Node& parameter) {
  const auto rank = parameter.output().type().rank();
  if (!rank || *rank < 3) return std::nullopt;
  Order plain(static_cast<std::size_t>(*rank));
  std::iota(plain.begin(), plain.end(), std::size_t{0});
  std::vector<std::pair<Value, Order>> open{{parameter.output(), std::move(plain)}};
  std::unordered_set<std::uint32_t> seen;
  std::optional<std::size_t> found;
  for (std::size_t next = 0; next < open.size() && next < kMaxVisited; ++next) {
    const auto [value, order] = open[next];
    for (const InPort& reader : value.get_destinations()) {
      const Node node = reader.node();
      if (!seen.insert(node.id().index).second) continue;
      const OpType& type = node.op_type();
      if (type.data_layout) {
        if (reader.index() != 0) continue;
        const std::size_t axis = order[type.is_channels_last(node.payload()) ? order.size() - 1 : 1];
        if (found && *found != axis) return std::nullopt;
        found = axis;
      } else if (node.is<ops::Transpose>()) {
        if (auto moved = transposed(node, order); moved && reader.index() == 0)
          open.emplace_back(node.output(), *std::move(moved));
      } else if (type.layout_rule.follows && mask_has(type.layout_rule.data_inputs, reader.index())) {
        for (const OutPort& port : node.out_ports())
          if (port.type().rank() == rank) open.emplace_back(port, order);
      }
    }
  }
  return found;
}

/// Where channels may be.
std::vector<std::size_t> candidates(std::size_t rank) {
  if (rank == 2) return {1};
  if (rank == 3) return {0, 1, 2};
  return {1, rank - 1};
}

Diagnostic cannot_be_told(const Node& parameter) {
  return parameter
      .error("MO-PRE-0013", "cannot infer which dimension of input '{}' of shape {} holds the channels",
             parameter.name(), parameter.output().type().shape.to_string())
      .hint("specify it with --layout \"{0}(nhwc)\" or --layout \"{0}(nchw)\", or give the shape with --input_shape",
            parameter.name());
}

}  // namespace

ChannelFinder::ChannelFinder(const Graph& graph, bool channels_first)
    : channels_first_(channels_first), channels_last_(!channels_first && has_channels_last_ops(graph)) {}

Expected<std::size_t> ChannelFinder::find(const Node& parameter, std::size_t count) const {
  const PartialShape& shape = parameter.output().type().shape;
  if (!shape.has_rank()) return cannot_be_told(parameter);
  const Dimension wanted(static_cast<std::int64_t>(count));
  const auto fits = [&](std::size_t axis) {
    return axis < shape.size() && (!shape[axis].is_known() || shape[axis] == wanted);
  };
  const auto misfit = [&] {
    return parameter
        .error("MO-PRE-0002", "{} values for input '{}' of shape {}", count, parameter.name(), shape.to_string())
        .hint("give one value for each channel, or a single one");
  };
  if (shape.size() < 2) return misfit();
  if (const auto axis = axis_of_readers(parameter)) return fits(*axis) ? Expected<std::size_t>(*axis) : misfit();
  if (channels_first_ && fits(1)) return std::size_t{1};
  if (channels_last_ && fits(shape.size() - 1)) return shape.size() - 1;
  std::vector<std::size_t> exact;
  std::vector<std::size_t> possible;
  for (const std::size_t axis : candidates(shape.size())) {
    if (!fits(axis)) continue;
    possible.push_back(axis);
    if (shape[axis] == wanted) exact.push_back(axis);
  }
  if (exact.size() == 1) return exact.front();
  if (possible.size() == 1) return possible.front();
  if (possible.empty()) return misfit();
  return cannot_be_told(parameter);
}

}  // namespace mo::phases
