#include "graph_transforms/engine/matching.hpp"

#include <algorithm>

#include "core/pattern/pattern.hpp"
#include "graph_transforms/engine/sorting.hpp"

namespace mo::graph_transforms {
namespace {

/// A pattern of ops as a pattern of the engine, vertex by vertex.
struct Translated {
  Pat pattern;
  std::vector<Translated> inputs;
};

std::vector<PatternNode::OpName> op_names(std::string_view ops, const std::string& domain) {
  std::vector<PatternNode::OpName> names;
  for (;;) {
    const std::size_t bar = ops.find('|');
    names.push_back({domain + std::string(ops.substr(0, bar)), -1});
    if (bar == std::string_view::npos) return names;
    ops.remove_prefix(bar + 1);
  }
}

Translated translate(const OpTypePattern& pattern, const std::string& domain) {
  std::vector<Translated> inputs;
  std::vector<Pat> patterns;
  for (const OpTypePattern& input : pattern.inputs) {
    inputs.push_back(translate(input, domain));
    patterns.push_back(inputs.back().pattern);
  }
  if (pattern.op != "*")
    return {mo::pattern::op_pattern(op_names(pattern.op, domain), std::move(patterns), !pattern.inputs.empty()),
            std::move(inputs)};
  if (pattern.inputs.empty()) return {mo::pattern::any(), {}};
  // Any op, but with these inputs: the engine's patterns of ops name theirs, so the inputs are looked at one by one.
  const auto matchers = std::make_shared<std::vector<Matcher>>();
  for (const Pat& input : patterns) matchers->emplace_back(input);
  Pat any = mo::pattern::any().where(
      [matchers](const Value& value) {
        const Node node = value.node();
        if (node.in_port_count() != matchers->size()) return false;
        for (std::size_t i = 0; i < matchers->size(); ++i)
          if (!node.input(i) || !(*matchers)[i].match(node.input(i))) return false;
        return true;
      },
      "inputs as given");
  return {std::move(any), std::move(inputs)};
}

NodeMatch matched(const Node& node, const Translated& pattern) {
  NodeMatch match{node, {}};
  for (std::size_t i = 0; i < pattern.inputs.size(); ++i)
    match.inputs.push_back(matched(node.input(i).node(), pattern.inputs[i]));
  return match;
}

/// The nodes that a pattern names by op, without the head and constants: those that a replacement does away with.
void inner_nodes(const NodeMatch& match, const OpTypePattern& pattern, std::vector<Node>& inner) {
  for (std::size_t i = 0; i < match.inputs.size(); ++i) {
    const OpTypePattern& input = pattern.inputs[i];
    if (input.op != "*" && input.op != "Const") inner.push_back(match.inputs[i].node);
    inner_nodes(match.inputs[i], input, inner);
  }
}

}  // namespace

std::vector<Node> matched_nodes(const NodeMatch& match) {
  std::vector<Node> nodes;
  std::vector<const NodeMatch*> open = {&match};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const NodeMatch& here = *open[next];
    if (std::find(nodes.begin(), nodes.end(), here.node) == nodes.end()) nodes.push_back(here.node);
    for (const NodeMatch& input : here.inputs) open.push_back(&input);
  }
  return nodes;
}

std::vector<NodeMatch> find_matches(const Graph& graph, const OpTypePattern& pattern) {
  std::vector<NodeMatch> matches;
  const std::vector<Node> order = sortable_nodes(graph);
  if (order.empty()) return matches;
  const Translated translated = translate(pattern, fmt::format("{}::", framework_of(graph)));
  const Matcher matcher(translated.pattern);
  if (!matcher.may_occur_in(graph)) return matches;
  std::vector<bool> is_taken(graph.node_capacity(), false);
  for (const Node& head : order) {
    if (is_taken[head.id().index] || !is_op_of(op_of(head), pattern.op) || !matcher.match(head.output())) continue;
    NodeMatch match = matched(head, translated);
    const std::vector<Node> nodes = matched_nodes(match);
    if (std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return is_taken[node.id().index]; })) continue;
    for (const Node& node : nodes) is_taken[node.id().index] = true;
    matches.push_back(std::move(match));
  }
  return matches;
}

Expected<std::size_t> replace_matching_op_types(GraphEditor& editor, const OpTypePattern& pattern,
                                                const ReplaceFunc& replace, const ReplaceOptions& options) {
  std::vector<NodeMatch> matches = find_matches(editor.graph(), pattern);
  std::sort(matches.begin(), matches.end(),
            [](const NodeMatch& a, const NodeMatch& b) { return a.node.id() < b.node.id(); });
  std::size_t changed = 0;
  for (const NodeMatch& match : matches) {
    std::vector<Node> nodes = matched_nodes(match);
    const std::string name(match.node.name());
    if (!options.allow_inconsistencies) {
      std::vector<Node> inner;
      inner_nodes(match, pattern, inner);
      if (std::any_of(inner.begin(), inner.end(),
                      [&](const Node& node) { return editor.is_needed_outside(node, nodes); }))
        continue;
    }
    MO_ASSIGN(const bool is_changed, replace(match, editor));
    if (!is_changed) continue;
    ++changed;
    // The head, or what has taken its place, may be the end of the graph.
    std::erase_if(nodes, [&](const Node& node) { return node == match.node || !node.alive() || node.name() == name; });
    editor.erase_unneeded(nodes);
  }
  return changed;
}

Expected<std::size_t> replace_all_matching_op_types(GraphEditor& editor, const OpTypePattern& pattern,
                                                    const ReplaceFunc& replace, const ReplaceOptions& options) {
  std::size_t total = 0;
  for (;;) {
    MO_ASSIGN(const std::size_t changed, replace_matching_op_types(editor, pattern, replace, options));
    total += changed;
    if (changed == 0) return total;
  }
}

}  // namespace mo::graph_transforms
