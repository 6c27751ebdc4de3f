#include "transformations/fusions/support/channel_permutation.hpp"

#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "ops/split.hpp"

namespace mo::transformations {
namespace {

bool is_permutation_of(ChannelOrder order, std::int64_t count) {
  if (static_cast<std::int64_t>(order.size()) != count) return false;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// `value` is the length of `axis` of `data` minus one.
bool is_last_index(const Value& value, const Value& data, std::int64_t axis) {
  if (!value || !value.node().is<ops::Add>()) return false;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Node gather = value.node().input(i).node();
    if (single_integer_of(value.node().input(1 - i)) != -1) continue;
    if (!gather.is<ops::v8::Gather>() && !gather.is<ops::v7::Gather>() && !gather.is<ops::v1::Gather>()) continue;
    const Node shape = gather.input(0).node();
    const bool is_shape = shape.is<ops::v0::ShapeOf>() || shape.is<ops::v3::ShapeOf>();
    if (is_shape && shape.input(0) == data && single_integer_of(gather.input(1)) == axis) return true;
  }
  return false;
}

/// Gather(x, order, axis): channels from `order`, or from last to first.
std::optional<Permutation> permutation_of_gather(const Node& node) {
  const auto batch_dims = node.attr<std::int64_t>("batch_dims").value_or(0);
  const PartialShape& shape = node.input_type(0).shape;
  const auto axis = single_integer_of(node.input(2));
  const auto place = axis && shape.has_rank() && batch_dims == 0
                         ? normalize_axis(*axis, static_cast<std::int64_t>(shape.size()))
                         : std::nullopt;
  if (!place) return std::nullopt;
  Permutation made{static_cast<std::size_t>(*place), {}, node.id()};
  const Value indices = node.input(1);
  if (auto known = integers_of(indices)) {
    const Dimension count = shape[made.axis];
    if (indices.type().rank() != 1 || !count.is_known() || !is_permutation_of(*known, count.value()))
      return std::nullopt;
    if (*known != reversed(count.value())) made.order = *std::move(known);
    return made;
  }
  const Node range = indices.node();
  if (!range.is<ops::v4::Range>() || single_integer_of(range.input(1)) != -1 || single_integer_of(range.input(2)) != -1)
    return std::nullopt;
  return is_last_index(range.input(0), node.input(0), *place) ? std::optional(made) : std::nullopt;
}

/// Concat of all slices of one Split, each once and without other readers.
std::optional<Permutation> permutation_of_concat(const Node& node) {
  const Node split = node.in_port_count() > 1 && node.input(0) ? node.input(0).node() : Node();
  if (!split || !split.is<ops::Split>() || split.out_port_count() != node.in_port_count()) return std::nullopt;
  const PartialShape& shape = split.input_type(0).shape;
  const auto axis = single_integer_of(split.input(1));
  if (!axis || !shape.has_rank()) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = normalize_axis(*axis, rank);
  if (!place || normalize_axis(node.as<ops::Concat>()->axis, rank) != place) return std::nullopt;
  ChannelOrder order;
  for (const InPort& port : node.in_ports()) {
    const Value slice = port.get_source();
    if (!slice || slice.node() != split || !slice.has_one_destination()) return std::nullopt;
    order.push_back(static_cast<std::int64_t>(slice.index()));
  }
  const auto count = static_cast<std::int64_t>(order.size());
  if (shape[static_cast<std::size_t>(*place)] != Dimension(count) || !is_permutation_of(order, count))
    return std::nullopt;
  if (order == reversed(count)) order.clear();
  return Permutation{static_cast<std::size_t>(*place), std::move(order), node.id()};
}

}  // namespace

ChannelOrder reversed(std::int64_t count) {
  ChannelOrder order(static_cast<std::size_t>(count));
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  return order;
}

ChannelOrder inverse_of(const ChannelOrder& order) {
  ChannelOrder inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

std::optional<Permutation> permutation_of(const Node& node) {
  if (node.is<ops::v8::Gather>() || node.is<ops::v7::Gather>() || node.is<ops::v1::Gather>())
    return permutation_of_gather(node);
  return node.is<ops::Concat>() ? permutation_of_concat(node) : std::nullopt;
}

}  // namespace mo::transformations
