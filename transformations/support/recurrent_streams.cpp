#include "transformations/support/recurrent_streams.hpp"

#include <algorithm>
#include <limits>

#include "core/graph/values.hpp"
#include "ops/broadcast.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reverse.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// The number of steps, as a vector or a scalar.
bool is_length_of(const Value& count, const Dimension& steps) {
  if (const auto known = integers_of(count))
    return steps.is_known() &&
           std::all_of(known->begin(), known->end(), [&](std::int64_t n) { return n == steps.value(); });
  const PartialValue* partial = count.data().partial_value();
  return partial && std::all_of(partial->elements.begin(), partial->elements.end(),
                                [&](const Dimension& d) { return d.same_value(steps); });
}

/// Lengths without what limits them to [0, steps] and without conversions.
Value unlimited(Value lengths, const Dimension& steps) {
  constexpr int kMostSteps = 8;
  for (int i = 0; i < kMostSteps; ++i) {
    const Node node = lengths.node();
    if (node.is<ops::Convert>() && node.input(0)) {
      lengths = node.input(0);
      continue;
    }
    if (!node.is<ops::Minimum>() && !node.is<ops::Maximum>()) break;
    const auto is_limit = [&](const Value& v) {
      return node.is<ops::Minimum>() ? is_length_of(v, steps) : integers_of(v) == std::vector<std::int64_t>{0};
    };
    const std::size_t side = is_limit(node.input(1)) ? 0 : is_limit(node.input(0)) ? 1 : 2;
    if (side == 2) break;
    lengths = node.input(side);
  }
  return lengths;
}

/// x[::-1] along one axis
std::optional<std::int64_t> reversed_axis(const Node& slice) {
  const auto one_number = [&](std::size_t i) -> std::optional<std::int64_t> {
    const auto known = slice.input(i) ? integers_of(slice.input(i)) : std::nullopt;
    return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
  };
  const auto axis = one_number(4);
  const auto place = axis ? normalize_axis(*axis, 3) : std::nullopt;
  const auto stop = one_number(2);
  if (!place || one_number(1) != -1 || one_number(3) != -1 || !stop) return std::nullopt;
  const std::int64_t most = slice.input_type(0).shape[static_cast<std::size_t>(*place)].max();
  // Counted from the back, the stop lies before the first element.
  return *stop < 0 && (most == Dimension::kNoLimit ? *stop < -std::numeric_limits<std::int32_t>::max() : *stop < -most)
             ? place
             : std::nullopt;
}

}  // namespace

bool is_sequence(const Node& node) { return node.is<ops::LSTMSequence>() || node.is<ops::GRUSequence>(); }

SequencePorts::SequencePorts(const Node& sequence)
    : states(sequence.is<ops::LSTMSequence>() ? 2 : 1), lengths(1 + states), weights(2 + states) {}

bool is_exchange(const Node& node) {
  if (!node.is<ops::Transpose>() || node.input_type(0).rank() != 3) return false;
  const auto order = known_order(node, 3);
  return order && *order == std::vector<std::size_t>{1, 0, 2};
}

std::optional<Reversal> reversal_of(const Node& node) {
  if (node.in_port_count() < 2 || !node.input(0) || node.input_type(0).rank() != 3) return std::nullopt;
  if (const auto* op = node.as<ops::ReverseSequence>()) {
    const auto axis = normalize_axis(op->seq_axis, 3);
    const auto batch = normalize_axis(op->batch_axis, 3);
    if (!axis || !batch || *axis > 1 || *batch != 1 - *axis || !node.input(1)) return std::nullopt;
    return Reversal{node, *axis, node.input(1)};
  }
  std::optional<std::int64_t> axis;
  if (const auto* op = node.as<ops::Reverse>(); op && op->mode == ops::ReverseMode::index) {
    const auto axes = known_axes(node.input(1), 3);
    if (axes && axes->size() == 1) axis = axes->front();
  } else if (node.is<ops::Slice>()) {
    axis = reversed_axis(node);
  }
  return axis && *axis <= 1 ? std::optional(Reversal{node, *axis, {}}) : std::nullopt;
}

bool has_lengths(const Node& sequence, const Value& lengths) {
  const PartialShape& shape = sequence.input_type(0).shape;
  const Value own = sequence.input(SequencePorts(sequence).lengths);
  if (!own || !shape.has_rank() || shape.size() != 3) return false;
  if (!lengths)
    return is_length_of(own, shape[1]) ||
           (own.node().is<ops::Broadcast>() && is_length_of(own.node().input(0), shape[1]));
  return same_tensor(unlimited(own, shape[1]), unlimited(lengths, shape[1]));
}

}  // namespace mo::transformations
