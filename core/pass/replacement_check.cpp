#include "core/pass/replacement_check.hpp"

#include <unordered_set>

#include "core/pass/rewriter.hpp"

namespace mo {

ReplacementCheck::ReplacementCheck(const Graph& graph, std::string replacer)
    : graph_(graph),
      replacer_(std::move(replacer)),
      had_results_(!graph.results().empty()),
      had_cycles_(!graph.topological_order().has_value()) {
  sources_.resize(graph.node_capacity());
  for (const Node node : graph.nodes()) {
    std::vector<NodeId>& sources = sources_[node.id().index];
    sources.resize(node.in_port_count());
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (const Value source = node.input(i)) sources[i] = source.node().id();
  }
}

Diagnostic ReplacementCheck::broken(Diagnostic problem) const {
  return std::move(problem).hint(
      "this is a fault of the replacer {}: correct it, or leave it out with --disable-pass {}", replacer_, replacer_);
}

Expected<void> ReplacementCheck::finish() const {
  for (const Node node : graph_.nodes()) {
    if (node.is<Result>() && !node.input(0))
      return broken(node.error("MO-PASS-0020", "{} left a Result that reads nothing", replacer_));
    if (node.id().index >= sources_.size()) continue;
    const std::vector<NodeId>& before = sources_[node.id().index];
    for (std::size_t i = 0; i < std::min(before.size(), node.in_port_count()); ++i)
      if (!node.input(i) && before[i].valid() && !graph_.node(before[i]).alive())
        return broken(node.error("MO-PASS-0020", "{} removed the node that input {} reads", replacer_, i));
  }
  if (had_results_ && graph_.results().empty())
    return broken(error("MO-PASS-0020", "{} left no output of the model", replacer_));
  if (had_cycles_) return {};
  if (auto order = graph_.topological_order(); !order) {
    Diagnostic cycle = order.error().first();
    cycle.code = "MO-PASS-0020";
    cycle.message = fmt::format("{} created a cycle: {}", replacer_, cycle.message);
    return broken(std::move(cycle));
  }
  return {};
}

void remove_unread(Graph& graph, const std::vector<Node>& nodes) {
  std::unordered_set<std::uint32_t> inside;
  std::vector<Node> members;
  for (const Node& node : nodes)
    if (node.alive() && !node.is<Parameter>() && !node.is<Result>() && inside.insert(node.id().index).second)
      members.push_back(node);
  std::unordered_set<std::uint32_t> kept;
  std::vector<Node> open;
  const auto keep = [&](const Node& node) {
    if (inside.contains(node.id().index) && kept.insert(node.id().index).second) open.push_back(node);
  };
  for (const Node& node : members)
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (!inside.contains(reader.node().id().index)) keep(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) keep(source.node());
  }
  std::vector<Node> feeding;
  for (const Node& node : members) {
    if (kept.contains(node.id().index)) continue;
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source(); source && !inside.contains(source.node().id().index))
        feeding.push_back(source.node());
  }
  for (const Node& node : members)
    if (!kept.contains(node.id().index)) graph.erase(node);
  for (const Node& node : feeding) erase_if_dead(node);
}

}  // namespace mo
