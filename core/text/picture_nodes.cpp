#include "core/text/picture_nodes.hpp"

#include <algorithm>
#include <deque>

#include "core/graph/builtin_ops.hpp"

namespace mo {
namespace {

bool is_shown(const Node& node, const VisualizeOptions& options) { return options.constants || !node.is<Const>(); }

std::unordered_set<NodeId> nodes_around(const Graph& graph, const VisualizeOptions& options) {
  std::unordered_set<NodeId> wanted;
  std::deque<std::pair<Node, std::size_t>> open;
  for (const std::string& name : options.around)
    if (const Node node = graph.find_node(name)) open.emplace_back(node, 0), wanted.insert(node.id());
  while (!open.empty()) {
    const auto [node, steps] = open.front();
    open.pop_front();
    if (steps == options.neighbours) continue;
    const auto add = [&, steps = steps](const Node& next) {
      if (is_shown(next, options) && wanted.insert(next.id()).second) open.emplace_back(next, steps + 1);
    };
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) add(source.node());
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) add(reader.node());
  }
  return wanted;
}

/// The Results and other nodes without readers, then what they read, and so on: the tail of a model has all of its
/// inputs before one of them is followed far up.
std::unordered_set<NodeId> nodes_nearest_to_outputs(const std::vector<Node>& order, const VisualizeOptions& options) {
  std::unordered_set<NodeId> wanted;
  std::deque<Node> open;
  for (const Node& node : order) {
    const std::vector<OutPort> ports = node.out_ports();
    if (std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.disconnected(); }))
      open.push_back(node);
  }
  while (!open.empty() && wanted.size() < options.most_nodes) {
    const Node node = open.front();
    open.pop_front();
    if (!is_shown(node, options) || !wanted.insert(node.id()).second) continue;
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) open.push_back(source.node());
  }
  return wanted;
}

}  // namespace

std::unordered_set<NodeId> nodes_of_picture(const Graph& graph, const std::vector<Node>& order,
                                            const VisualizeOptions& options) {
  if (!options.around.empty()) return nodes_around(graph, options);
  if (options.most_nodes != 0) return nodes_nearest_to_outputs(order, options);
  std::unordered_set<NodeId> wanted;
  for (const Node& node : order)
    if (is_shown(node, options)) wanted.insert(node.id());
  return wanted;
}

}  // namespace mo
