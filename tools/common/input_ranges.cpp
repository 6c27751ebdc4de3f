#include "tools/common/input_ranges.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

/// Ops whose output has the elements of input 0, in whatever places.
constexpr std::string_view kMovesElements[] = {"Convert",   "Reshape", "Squeeze",  "Unsqueeze",      "Transpose",
                                               "Broadcast", "Tile",    "Split",    "VariadicSplit",  "StridedSlice",
                                               "Slice",     "Concat",  "Identity", "ReverseSequence"};

/// The only number of a constant at input `i`.
std::optional<std::int64_t> integer_at(const Node& node, std::size_t i) {
  const Value source = i < node.in_port_count() ? node.input(i) : Value();
  const Const* const constant = source ? source.node().as<Const>() : nullptr;
  if (!constant || constant->value.element_count() != 1) return std::nullopt;
  const auto numbers = to_integers(constant->value);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

/// How long a dimension of input `i` is, counted from the end when negative.
std::optional<std::int64_t> length_of(const Node& node, std::size_t i, std::int64_t axis) {
  if (i >= node.in_port_count() || !node.input(i)) return std::nullopt;
  const PartialShape& shape = node.input_type(i).shape;
  if (!shape.has_rank()) return std::nullopt;
  const std::int64_t rank = *shape.rank();
  const std::int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank || !shape[static_cast<std::size_t>(place)].is_known()) return std::nullopt;
  return shape[static_cast<std::size_t>(place)].value();
}

/// The shortest dimension of input `i`.
std::optional<std::int64_t> shortest(const Node& node, std::size_t i) {
  std::optional<std::int64_t> least;
  const std::int64_t rank = node.input(i) ? node.input_type(i).shape.rank().value_or(0) : 0;
  for (std::int64_t axis = 0; axis < rank; ++axis)
    if (const auto length = length_of(node, i, axis); length && (!least || *length < *least)) least = length;
  return least;
}

std::optional<InputRange> indices_below(std::optional<std::int64_t> length) {
  if (!length || *length <= 0) return std::nullopt;
  return InputRange{0, static_cast<double>(*length - 1)};
}

std::optional<InputRange> lengths_up_to(std::optional<std::int64_t> length) {
  if (!length || *length <= 0) return std::nullopt;
  return InputRange{1, static_cast<double>(*length)};
}

std::optional<InputRange> quantisation_range(const Node& node) {
  std::optional<InputRange> range;
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const Const* const bound = node.input(i) ? node.input(i).node().as<Const>() : nullptr;
    const auto numbers = bound ? to_reals(bound->value) : Expected<std::vector<double>>(std::vector<double>());
    if (!numbers || numbers->empty()) return std::nullopt;
    const auto [least, most] = std::minmax_element(numbers->begin(), numbers->end());
    range =
        range ? InputRange{std::min(range->least, *least), std::max(range->most, *most)} : InputRange{*least, *most};
  }
  return range;
}

/// What input `port` of `node` must hold.
std::optional<InputRange> range_at(const Node& node, std::size_t port) {
  const std::string_view type = node.type();
  if (type == "Gather" && port == 1) return indices_below(length_of(node, 0, integer_at(node, 2).value_or(0)));
  if (type == "GatherElements" && port == 1)
    return indices_below(length_of(node, 0, node.attr<std::int64_t>("axis").value_or(0)));
  if ((type == "GatherND" && port == 1) || (type == "ScatterNDUpdate" && port == 1))
    return indices_below(shortest(node, 0));
  if ((type == "ScatterUpdate" || type == "ScatterElementsUpdate") && port == 1)
    return indices_below(length_of(node, 0, integer_at(node, 3).value_or(0)));
  if (type == "OneHot" && port == 0) return indices_below(integer_at(node, 1));
  if (type.starts_with("Embedding") && port == 1) return indices_below(length_of(node, 0, 0));
  if (type == "LSTMSequence" && port == 3) return lengths_up_to(length_of(node, 0, 1));
  if ((type == "GRUSequence" || type == "RNNSequence") && port == 2) return lengths_up_to(length_of(node, 0, 1));
  if (type == "ReverseSequence" && port == 1)
    return lengths_up_to(length_of(node, 0, node.attr<std::int64_t>("seq_axis").value_or(1)));
  if (type == "TopK" && port == 1)
    return lengths_up_to(length_of(node, 0, node.attr<std::int64_t>("axis").value_or(0)));
  if ((type == "ROIAlign" || type == "ROIAlignRotated") && port == 2)
    return indices_below(length_of(node, 0, 0).value_or(1));
  if (type == "FakeQuantize" && port == 0) return quantisation_range(node);
  return std::nullopt;
}

bool moves_elements(const Node& node) {
  return std::find(std::begin(kMovesElements), std::end(kMovesElements), node.type()) != std::end(kMovesElements);
}

/// Calls `visit` for each port that reads the elements of `start`; `passes` says which nodes hand them on.
template <class Passes, class Visit>
void for_each_reader(const Value& start, const Passes& passes, const Visit& visit) {
  std::vector<Value> open = {start};
  std::set<ValueId> seen;
  while (!open.empty()) {
    const Value value = open.back();
    open.pop_back();
    if (!seen.insert(value.id()).second) continue;
    for (const InPort& reader : value.get_destinations()) {
      visit(reader.node(), reader.index());
      if (passes(reader.node()) && (reader.index() == 0 || reader.node().is("Concat")))
        for (const OutPort& output : reader.node().out_ports()) open.push_back(output);
    }
  }
}

}  // namespace

std::optional<InputRange> range_asked_of(const Node& parameter) {
  std::optional<InputRange> range;
  for_each_reader(parameter.output(), moves_elements, [&](const Node& node, std::size_t port) {
    if (const auto asked = range_at(node, port))
      range = range ? InputRange{std::max(range->least, asked->least), std::min(range->most, asked->most)} : *asked;
  });
  if (range && range->most < range->least) range->most = range->least;
  return range;
}

bool holds_regions(const Node& parameter) {
  const PartialShape& shape = parameter.output_type().shape;
  if (!shape.has_rank() || shape.size() != 2 || !shape[1].is_known() || shape[1].value() != 5) return false;
  bool found = false;
  const auto passes = [](const Node& node) { return moves_elements(node) || node.is("Gather"); };
  for_each_reader(parameter.output(), passes, [&](const Node& node, std::size_t port) {
    const std::string_view type = node.type();
    found = found || (type == "ROIAlign" && port == 2) ||
            (port == 1 && (type == "ROIPooling" || type == "PSROIPooling" || type == "DeformablePSROIPooling"));
  });
  return found;
}

}  // namespace mo::tools
