#include "transformations/offline/support/channel_analysis.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"
#include "ops/transpose.hpp"
#include "transformations/offline/support/channel_states.hpp"

namespace mo::transformations {
namespace {

bool is_rank(const Value& value, std::int64_t rank) { return value && value.type().rank() == rank; }

/// The size of the axis when it is known.
std::optional<std::size_t> size_along(const Value& value, std::size_t axis) {
  const PartialShape& shape = value.type().shape;
  if (!shape.has_rank() || axis >= shape.size() || !shape[axis].is_known()) return std::nullopt;
  return static_cast<std::size_t>(shape[axis].value());
}

bool is_reduction(const Node& node) {
  return node.is<ops::ReduceMean>() || node.is<ops::ReduceSum>() || node.is<ops::ReduceMax>() ||
         node.is<ops::ReduceMin>() || node.is<ops::ReduceL1>() || node.is<ops::ReduceL2>();
}

/// What becomes of an axis in a Reshape: axis `to` has `times` elements for each of its channels.
struct Regrouped {
  std::size_t to = 0;
  std::size_t times = 1;
};
std::optional<Regrouped> regrouped(const PartialShape& from, const PartialShape& to, std::size_t axis) {
  if (!from.has_rank() || !to.has_rank() || axis >= from.size() || axis >= to.size() || !from[axis].is_known() ||
      !to[axis].is_known())
    return std::nullopt;
  for (std::size_t i = 0; i < axis; ++i)
    if (!from[i].same_value(to[i])) return std::nullopt;
  std::int64_t size = from[axis].value();
  const std::int64_t channels = size;
  for (std::size_t i = axis + 1; size < to[axis].value() && i < from.size() && from[i].is_known(); ++i)
    size *= from[i].value();
  if (size != to[axis].value() || channels == 0) return std::nullopt;
  return Regrouped{axis, static_cast<std::size_t>(size / channels)};
}

}  // namespace

std::optional<ChannelAnalysis::Weighted> ChannelAnalysis::weighted(const Node& node) {
  if (node.is<ops::Convolution>()) return Weighted{node.input(0), node.input(1), 1, 1, 0, 1};
  if (node.is<ops::ConvolutionBackpropData>()) return Weighted{node.input(0), node.input(1), 1, 0, 1, 1};
  const auto* const product = node.as<ops::MatMul>();
  const auto rank = node.input_type(0).rank();
  if (!product || product->transpose_a || rank.value_or(0) < 2 || !is_rank(node.input(1), 2)) return std::nullopt;
  const auto last = static_cast<std::size_t>(*rank - 1);
  return Weighted{node.input(0), node.input(1), last, product->transpose_b ? 1U : 0U, product->transpose_b ? 0U : 1U,
                  last};
}

Expected<void> ChannelAnalysis::run() {
  MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
  for (const Node& node : order) visit(node);
  if (error_) return std::move(*error_);
  return {};
}

std::vector<std::int64_t> ChannelAnalysis::zero_channels(const Node& node) {
  const auto op = weighted(node);
  const ChannelAxis* const made = op ? of_constants(op->weights, op->made_axis) : nullptr;
  std::vector<std::int64_t> zero;
  for (std::size_t i = 0; made && i < made->size(); ++i)
    if (made->states[i] == ChannelState::zero) zero.push_back(static_cast<std::int64_t>(i));
  return zero;
}

void ChannelAnalysis::visit(const Node& node) {
  if (const auto op = weighted(node)) return visit_weighted(node, *op);
  if (node.is<ops::GroupConvolution>()) return visit_depthwise(node);
  if (node.is<ops::Concat>()) return visit_concat(node);
  if (node.is("Reshape") || node.is("Squeeze") || node.is("Unsqueeze")) return visit_reshape(node);
  if (is_reduction(node)) return visit_reduction(node);
  if (node.is<ops::Transpose>()) return visit_transpose(node);
  if (keeps_channels(node)) return visit_keeping(node);
  if (!node.op_type().traits.elementwise && !node.is("PReLU")) return;
  const auto rank = node.output_type().rank();
  for (std::size_t i = 0; rank && i < node.in_port_count(); ++i) {
    if (!node.input(i) || !node.input(i).type().rank()) continue;
    for (const ChannelAxis* axis : groups_.axes_of(node.input(i)))
      through_elementwise(node, axis->axis + static_cast<std::size_t>(*rank - *node.input(i).type().rank()));
  }
}

void ChannelAnalysis::pass_on(ChannelAxis& from, const InPort& reader, const Value& to, std::size_t axis,
                              std::vector<ChannelState> states) {
  const std::size_t times = states.size() / std::max<std::size_t>(from.size(), 1);
  const ChannelAxis* const made = groups_.follow(to, axis, std::move(states));
  for (std::size_t i = 0; i < made->size(); ++i) groups_.join(*made, i, from, i / times);
  from.understood.insert(reader.id());
}

void ChannelAnalysis::visit_weighted(const Node& node, const Weighted& op) {
  ChannelAxis* const data = groups_.find(op.data, op.data_axis);
  ChannelAxis* const summed = data ? of_constants(op.weights, op.sum_axis) : nullptr;
  if (summed && summed->size() == data->size()) {
    groups_.join(*data, *summed);
    for (std::size_t i = 0; i < data->size(); ++i) {
      const bool adds_nothing = data->states[i] == ChannelState::zero ||
                                (data->states[i] == ChannelState::constant && summed->states[i] == ChannelState::zero);
      if (!adds_nothing) groups_.keep(*data, i);
    }
    data->understood.insert(node.in_port(0).id());
  } else if (summed) {
    for (std::size_t i = 0; i < summed->size(); ++i) groups_.keep(*summed, i);
  }
  if (summed) summed->understood.insert(node.in_port(1).id());
  ChannelAxis* const made = of_constants(op.weights, op.made_axis);
  if (!made || size_along(node.output(), op.output_axis) != made->size()) return;
  std::vector<ChannelState> states;
  for (const ChannelState state : made->states)
    states.push_back(state == ChannelState::zero ? state : ChannelState::any);
  pass_on(*made, node.in_port(1), node.output(), op.output_axis, std::move(states));
}

/// One filter for each channel: what is zero stays so.
void ChannelAnalysis::visit_depthwise(const Node& node) {
  ChannelAxis* const data = groups_.find(node.input(0), 1);
  if (!data || size_along(node.input(1), 1) != 1 || size_along(node.input(1), 2) != 1) return;
  ChannelAxis* const filters = of_constants(node.input(1), 0);
  if (!filters || filters->size() != data->size()) return;
  groups_.join(*data, *filters);
  filters->understood.insert(node.in_port(1).id());
  std::vector<ChannelState> states;
  for (const ChannelState state : data->states)
    states.push_back(state == ChannelState::zero ? state : ChannelState::any);
  pass_on(*data, node.in_port(0), node.output(), 1, std::move(states));
}

void ChannelAnalysis::visit_concat(const Node& node) {
  const auto rank = node.output_type().rank();
  const auto along = rank ? normalize_axis(node.as<ops::Concat>()->axis, *rank) : std::nullopt;
  if (!along) return;
  std::set<std::size_t> wanted;
  for (const InPort& port : node.in_ports())
    for (const ChannelAxis* axis : groups_.axes_of(port.get_source())) wanted.insert(axis->axis);
  for (const std::size_t axis : wanted) {
    std::vector<ChannelAxis*> parts;
    std::vector<ChannelState> states;
    for (const InPort& port : node.in_ports()) {
      parts.push_back(any_axis(port.get_source(), axis));
      const auto size = size_along(port.get_source(), axis);
      if (!size) return;
      const bool first = states.empty();
      for (std::size_t i = 0; i < *size; ++i) {
        const ChannelState state = parts.back() ? parts.back()->states[i] : ChannelState::any;
        if (axis == static_cast<std::size_t>(*along) || first)
          states.push_back(state);
        else
          states[i] = std::min(states[i], state);
      }
    }
    const bool joins = axis == static_cast<std::size_t>(*along);
    if (!joins && std::find(parts.begin(), parts.end(), nullptr) != parts.end()) continue;
    const ChannelAxis* const made = groups_.follow(node.output(), axis, std::move(states));
    std::size_t at = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const std::size_t size = *size_along(node.input(p), axis);
      for (std::size_t i = 0; i < size; ++i)
        if (parts[p])
          groups_.join(*made, (joins ? at : 0) + i, *parts[p], i);
        else
          groups_.keep(*made, at + i);
      if (parts[p]) parts[p]->understood.insert(node.in_port(p).id());
      at += size;
    }
  }
}

void ChannelAnalysis::visit_reshape(const Node& node) {
  // Another shape is only written where it is a constant; ShapeOf follows by itself.
  const bool writable =
      !node.is("Reshape") ||
      (node.input(1) && (node.input(1).node().is<Const>() || node.input(1).node().op_type().traits.shape_of));
  if (!writable) return;
  for (ChannelAxis* axis : groups_.axes_of(node.input(0))) {
    const auto made = regrouped(node.input_type(0).shape, node.output_type().shape, axis->axis);
    if (!made) continue;
    std::vector<ChannelState> states;
    for (const ChannelState state : axis->states) states.insert(states.end(), made->times, state);
    pass_on(*axis, node.in_port(0), node.output(), made->to, std::move(states));
  }
}

void ChannelAnalysis::visit_reduction(const Node& node) {
  const auto rank = node.input_type(0).rank();
  const auto given = rank ? integers_of(node.input(1)) : std::nullopt;
  if (!given || !node.output_type().rank()) return;
  std::set<std::size_t> reduced;
  for (const std::int64_t axis : *given)
    if (const auto normal = normalize_axis(axis, *rank)) reduced.insert(static_cast<std::size_t>(*normal));
  const bool keeps_rank = node.output_type().rank() == rank;
  for (ChannelAxis* axis : groups_.axes_of(node.input(0))) {
    if (reduced.contains(axis->axis)) continue;
    const auto before = static_cast<std::size_t>(
        std::count_if(reduced.begin(), reduced.end(), [&](std::size_t r) { return r < axis->axis; }));
    pass_on(*axis, node.in_port(0), node.output(), axis->axis - (keeps_rank ? 0 : before), axis->states);
  }
}

void ChannelAnalysis::visit_transpose(const Node& node) {
  const auto order = integers_of(node.input(1));
  if (!order) return;
  for (ChannelAxis* axis : groups_.axes_of(node.input(0))) {
    const auto at = std::find(order->begin(), order->end(), static_cast<std::int64_t>(axis->axis));
    if (at != order->end())
      pass_on(*axis, node.in_port(0), node.output(), static_cast<std::size_t>(at - order->begin()), axis->states);
  }
}

void ChannelAnalysis::visit_keeping(const Node& node) {
  for (ChannelAxis* axis : groups_.axes_of(node.input(0)))
    if (axis->axis == 1 && size_along(node.output(), 1) == axis->size() && keeps_zeros(node, 1))
      pass_on(*axis, node.in_port(0), node.output(), 1, axis->states);
}

ChannelAxis* ChannelAnalysis::through_elementwise(const Node& node, std::size_t output_axis) {
  if (ChannelAxis* const known = groups_.find(node.output(), output_axis)) return known;
  const auto size = size_along(node.output(), output_axis);
  const auto rank = node.output_type().rank();
  if (!size || !rank || !broadcasts_as_numpy(node)) return nullptr;
  std::vector<ChannelAxis*> axes(node.in_port_count());
  std::vector<std::vector<ChannelState>> states(node.in_port_count());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Value input = node.input(i);
    const auto own = input ? aligned_axis(node, i, output_axis) : std::nullopt;
    if (!input || !input.type().rank()) return nullptr;
    const auto own_size = own ? size_along(input, *own) : std::optional<std::size_t>(1);
    if (!own_size) return nullptr;
    if (*own_size == 1 && *size != 1) {  // the same for all channels
      states[i].assign(*size, is_zero(input) ? ChannelState::zero : ChannelState::any);
      continue;
    }
    axes[i] = any_axis(input, *own);
    if (!axes[i]) return nullptr;
    states[i] = axes[i]->states;
  }
  std::vector<ChannelState> made;
  for (std::size_t c = 0; c < *size; ++c) {
    std::vector<ChannelState> of_inputs;
    for (const auto& all : states) of_inputs.push_back(all[c]);
    made.push_back(state_after(node, of_inputs));
  }
  ChannelAxis* const output = groups_.follow(node.output(), output_axis, std::move(made));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i]) continue;
    groups_.join(*output, *axes[i]);
    axes[i]->understood.insert(node.in_port(i).id());
  }
  return output;
}

ChannelAxis* ChannelAnalysis::any_axis(const Value& value, std::size_t axis) {
  ChannelAxis* const known = groups_.find(value, axis);
  return known ? known : of_constants(value, axis);
}

ChannelAxis* ChannelAnalysis::of_constants(const Value& value, std::size_t axis) {
  if (!value || !is_made_of_constants(value)) return nullptr;
  if (ChannelAxis* const known = groups_.find(value, axis)) return known;
  const Node node = value.node();
  if (const auto* constant = node.as<Const>()) {
    auto states = states_of(constant->value, axis);
    if (!states) {
      if (!error_) error_ = std::move(states).error();
      return nullptr;
    }
    return states->empty() ? nullptr : groups_.follow(value, axis, *std::move(states));
  }
  if (node.is("Reshape")) {
    ChannelAxis* const from = of_constants(node.input(0), axis);
    const auto made = from ? regrouped(node.input_type(0).shape, value.type().shape, axis) : std::nullopt;
    if (!made || made->to != axis || made->times != 1) return nullptr;
    pass_on(*from, node.in_port(0), value, axis, from->states);
    return groups_.find(value, axis);
  }
  return node.op_type().traits.elementwise ? through_elementwise(node, axis) : nullptr;
}

}  // namespace mo::transformations
