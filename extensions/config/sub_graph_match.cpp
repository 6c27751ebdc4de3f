#include "extensions/config/sub_graph_match.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "extensions/config/matching.hpp"

namespace mo {

void SubgraphMatch::set_nodes(std::vector<Node> nodes) {
  nodes_ = std::move(nodes);
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.id() < b.id(); });
}

std::vector<std::string> SubgraphMatch::matched_nodes_names() const {
  std::vector<std::string> names;
  for (const Node& node : nodes_)
    if (node.alive()) names.emplace_back(node.name());
  return names;
}

bool SubgraphMatch::contains(const Node& node) const {
  return std::binary_search(nodes_.begin(), nodes_.end(), node,
                            [](const Node& a, const Node& b) { return a.id() < b.id(); });
}

const AttributeValue* SubgraphMatch::find_custom(std::string_view name) const {
  read_.emplace(name);
  return custom_attributes_.find(name);
}

std::vector<std::string> SubgraphMatch::unread_attributes() const {
  std::vector<std::string> unread;
  if (all_read_ || read_.empty()) return unread;
  for (const AttributeMap::Item& item : custom_attributes_)
    if (!read_.contains(item.name)) unread.push_back(item.name);
  return unread;
}

Diagnostic SubgraphMatch::missing(std::string_view name) const {
  std::vector<std::string> names;
  for (const AttributeMap::Item& item : custom_attributes_) names.push_back(item.name);
  return problem(error("MO-CONFIG-0034", "the custom attribute \"{}\" is missing", name)
                     .hint("add it to \"custom_attributes\", which has: {}",
                           names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
}

Diagnostic SubgraphMatch::wrong(std::string_view name, std::string_view text) const {
  return problem(error("MO-CONFIG-0035", "the custom attribute \"{}\": {}", name, text)
                     .hint("write the kind of value that the message names"));
}

Diagnostic SubgraphMatch::problem(Diagnostic diagnostic) const {
  return std::move(diagnostic)
      .note("sub-graph of \"{}\"{}", id_, scope_.empty() ? "" : fmt::format(", scope {}", scope_));
}

const std::vector<NodePort>& SubgraphMatch::input_nodes(std::size_t i) const {
  static const std::vector<NodePort> kNone;
  const auto it = inputs_.find(i);
  return it == inputs_.end() ? kNone : it->second;
}

Expected<NodePort> SubgraphMatch::single_input_node(std::size_t i) const {
  const std::vector<NodePort>& places = input_nodes(i);
  if (places.size() == 1) return places.front();
  return problem(
      error("MO-CONFIG-0024", "input {} of the sub-graph arrives at {} places instead of one", i, places.size())
          .hint("correct \"inputs\" of the configuration, or write them anew with "
                "--tensorflow_custom_operations_config_update"));
}

Expected<Value> SubgraphMatch::input(std::size_t i) const {
  for (const NodePort& place : input_nodes(i))
    if (place.port < place.node.in_port_count())
      if (const Value source = place.node.input(place.port)) return source;
  return problem(error("MO-CONFIG-0024", "the sub-graph has no input {}", i)
                     .hint("correct \"inputs\" of the configuration, or write them anew with "
                           "--tensorflow_custom_operations_config_update"));
}

Expected<NodePort> SubgraphMatch::output_node(std::size_t i) const {
  const auto it = outputs_.find(i);
  if (it != outputs_.end()) return it->second;
  return problem(error("MO-CONFIG-0025", "the sub-graph has no output {}", i)
                     .hint("correct \"outputs\" or \"end_points\" of the configuration"));
}

Expected<Node> SubgraphMatch::node_by_pattern(const std::string& pattern) const {
  MO_ASSIGN(const std::vector<Node> found, config::nodes_that_match(nodes_, config::pattern_in_scope(scope_, pattern)));
  if (found.empty()) return Node();
  if (found.size() > 1) return problem(config::several_match(pattern, found));
  return found.front();
}

}  // namespace mo
