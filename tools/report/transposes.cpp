#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <set>

#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "ops/transpose.hpp"
#include "tools/report/findings.hpp"

namespace mo::tools {
namespace {

/// Limits the search for the layer that a Transpose stands for: after so many that take either layout, its name does
/// not help.
constexpr std::size_t kFarthest = 2000;

/// The layer nearest to a Transpose that has only one layout.
struct Anchor {
  Node node;
  bool channels_first = false;
};

bool takes_either(const Node& node) { return node.op_type().layout_rule.follows || node.op_type().traits.elementwise; }

Anchor anchor_of(const Node& node) { return {node, node.op_type().data_layout != nullptr}; }

/// Breadth first along the data, through what takes either layout.
template <class Next>
Anchor nearest_anchor(std::vector<Node> from, Next next) {
  std::deque<Node> open(from.begin(), from.end());
  std::set<std::pair<const Graph*, NodeId>> seen;
  while (!open.empty() && seen.size() < kFarthest) {
    const Node node = open.front();
    open.pop_front();
    if (node.is<Const>() || !seen.emplace(&node.graph(), node.id()).second) continue;
    if (!takes_either(node) || node.op_type().data_layout) return anchor_of(node);
    for (const Node& one : next(node)) open.push_back(one);
  }
  return {};
}

std::vector<Node> producers(const Node& node) {
  std::vector<Node> found;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && mask_has(node.op_type().layout_rule.data_inputs, i))
      found.push_back(source.node());
  return found;
}

std::vector<Node> readers(const Node& node) {
  std::vector<Node> found;
  for (const OutPort& port : node.out_ports())
    for (const InPort& reader : port.get_destinations()) found.push_back(reader.node());
  return found;
}

std::string side_text(const Anchor& anchor, bool channels_first) {
  if (!anchor.node)
    return channels_first ? "layers that are cheaper with channels first" : "layers that keep the layout of the model";
  const std::string name = fmt::format("'{}' ({})", anchor.node.name(), anchor.node.type());
  if (anchor.node.is<Parameter>()) return fmt::format("the input {}, which has the layout of the model", name);
  if (anchor.node.is<Result>()) return fmt::format("the output {}, which has the layout of the model", name);
  if (anchor.channels_first) return fmt::format("{}, which needs channels first", name);
  return fmt::format("{}, which works on dimensions in the order of the model", name);
}

std::optional<std::vector<std::int64_t>> order_of(const Node& transpose) {
  const Value order = transpose.in_port_count() > 1 ? transpose.input(1) : Value();
  const auto* constant = order ? order.node().as<Const>() : nullptr;
  if (!constant) return std::nullopt;
  auto numbers = to_integers(constant->value);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::string reason_for(const Node& transpose, const std::optional<std::vector<std::int64_t>>& order,
                       const std::string& in_model, bool by_layout_step) {
  if (!in_model.empty() && !by_layout_step)
    return fmt::format("the model has it ({}), and nothing beside it takes it back", in_model);
  const std::size_t rank = order ? order->size() : 0;
  const bool to_first = order && *order == order_to_channels_first(rank);
  const bool to_last = order && *order == order_to_channels_last(rank);
  if (!to_first && !to_last)
    return in_model.empty() ? "a pass needs the dimensions in another order"
                            : fmt::format("the model has it ({}), here with the order of the other layout", in_model);
  const Anchor before = nearest_anchor(producers(transpose), producers);
  const Anchor behind = nearest_anchor(readers(transpose), readers);
  return fmt::format("between {} and {}", side_text(before, !to_first), side_text(behind, to_first));
}

}  // namespace

std::vector<KeptTranspose> transposes_in(const GraphTable& table, const std::vector<Node>& nodes,
                                         const GraphTable& source, const TextTable& texts, const PassHistory& history) {
  std::vector<KeptTranspose> kept;
  for (std::uint32_t row = 0; row < nodes.size(); ++row) {
    const Node& node = nodes[row];
    if (!node.is<ops::Transpose>()) continue;
    const auto order = order_of(node);
    KeptTranspose one{row, std::string(node.name()), order ? fmt::format("{}", fmt::join(*order, ",")) : std::string(),
                      plain_text(node.input_type(0)), plain_text(node.output_type(0))};
    std::string in_model;
    for (std::uint32_t i = table.links.begin(row); i < table.links.ends[row]; ++i) {
      const std::uint32_t each = table.links.items[i];
      const std::string_view op = texts[source.op[each]];
      one.sources.emplace_back(texts[source.name[each]]);
      if (op == "Transpose" || op == "Permute") in_model = fmt::format("{} '{}'", op, one.sources.back());
    }
    one.passes = history.of(node);
    one.of_model = !in_model.empty();
    const bool by_layout_step = std::find(one.passes.begin(), one.passes.end(), "LayoutChange") != one.passes.end();
    one.reason = reason_for(node, order, in_model, by_layout_step);
    kept.push_back(std::move(one));
  }
  return kept;
}

}  // namespace mo::tools
