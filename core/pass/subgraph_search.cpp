#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/diagnostics/misuse.hpp"
#include "core/pass/subgraph_replacement.hpp"

namespace mo {
namespace {

/// Comparisons of a node with a place in the pattern, for each node of the graph: far above what any real pattern
/// needs.
constexpr std::size_t kStepsForEachNode = 2000;
constexpr std::size_t kFewestSteps = 1'000'000;

bool equal_value(const AttributeValue& have, const AttributeValue& wanted) {
  if (have == wanted) return true;
  // An integer where the op has a real number, or 1 for true.
  if (const double* real = have.get_if<double>())
    if (const auto* integer = wanted.get_if<std::int64_t>()) return *real == static_cast<double>(*integer);
  if (const bool* truth = have.get_if<bool>())
    if (const auto* integer = wanted.get_if<std::int64_t>()) return *integer == (*truth ? 1 : 0);
  return false;
}

bool fulfils(const AttributeValue& have, const AttributeConstraint& constraint) {
  if (const auto* predicate = std::get_if<AttributeConstraint::Predicate>(&constraint.wanted))
    return (*predicate)(have);
  return equal_value(have, std::get<AttributeValue>(constraint.wanted));
}

bool fulfils(const Node& node, const AttributeConstraint& constraint, bool framework_names) {
  if (constraint.name == "op") {
    if (fulfils(AttributeValue(node.type()), constraint)) return true;
    const std::string_view framework = framework_names ? framework_op_name(node) : std::string_view();
    return !framework.empty() && fulfils(AttributeValue(framework), constraint);
  }
  if (constraint.name == "type") return fulfils(AttributeValue(node.type()), constraint);
  if (constraint.name == "name") return fulfils(AttributeValue(node.name()), constraint);
  return fulfils(node.attribute(constraint.name), constraint);
}

struct Edge {
  std::size_t out;
  std::size_t in;
};

std::vector<Edge> edges_between(const Node& from, const Node& to) {
  std::vector<Edge> edges;
  for (const InPort& port : to.in_ports())
    if (const Value source = port.get_source(); source && source.node() == from)
      edges.push_back({source.index(), port.index()});
  return edges;
}

/// Whether each wanted edge has an edge of its own (augmenting paths).
bool covers(const std::vector<EdgePorts>& wanted, const std::vector<Edge>& have) {
  if (wanted.size() > have.size()) return false;
  std::vector<std::size_t> taken_by(have.size(), SIZE_MAX);
  std::vector<bool> seen;
  const std::function<bool(std::size_t)> place = [&](std::size_t i) {
    for (std::size_t k = 0; k < have.size(); ++k) {
      if (seen[k] || (wanted[i].in && *wanted[i].in != have[k].in) || (wanted[i].out && *wanted[i].out != have[k].out))
        continue;
      seen[k] = true;
      if (taken_by[k] != SIZE_MAX && !place(taken_by[k])) continue;
      taken_by[k] = i;
      return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    seen.assign(have.size(), false);
    if (!place(i)) return false;
  }
  return true;
}

/// A pattern with aliases as numbers.
struct Compiled {
  std::size_t size = 0;
  std::vector<std::vector<EdgePorts>> edges;  ///< [from * size + to]
  bool adjacent(std::size_t a, std::size_t b) const {
    return !edges[a * size + b].empty() || !edges[b * size + a].empty();
  }
};

Diagnostic malformed(std::string_view what) {
  return error("MO-PASS-0013", "the pattern is malformed: {}", what)
      .hint("correct the nodes and edges of the replacer's pattern");
}

Expected<Compiled> compile(const SubgraphPattern& pattern) {
  std::map<std::string_view, std::size_t> place;
  if (pattern.nodes.empty()) return malformed("it has no nodes");
  for (const SubgraphNode& node : pattern.nodes)
    if (node.alias.empty() || !place.emplace(node.alias, place.size()).second)
      return malformed(fmt::format("two nodes are called \"{}\"", node.alias));
  Compiled compiled{place.size(), std::vector<std::vector<EdgePorts>>(place.size() * place.size())};
  for (const SubgraphEdge& edge : pattern.edges) {
    for (const std::string& end : {edge.from, edge.to})
      if (!place.contains(end)) return malformed(fmt::format("an edge names \"{}\", which is none of its nodes", end));
    if (edge.from == edge.to) return malformed(fmt::format("\"{}\" has an edge to itself", edge.from));
    compiled.edges[place[edge.from] * compiled.size + place[edge.to]].push_back(edge.ports);
  }
  return compiled;
}

/// Backtracking search. A pattern node that has a matched neighbour is only looked for beside it.
class Search {
 public:
  Search(const Graph& graph, const SubgraphPattern& pattern, const Compiled& compiled)
      : graph_(graph),
        pattern_(pattern),
        compiled_(compiled),
        matched_(compiled.size),
        steps_(kFewestSteps + kStepsForEachNode * graph.node_count()) {}

  Expected<std::vector<AliasMatch>> run() {
    find_order();
    if (!extend(0))
      return error("MO-PASS-0016", "the search for the pattern takes too long")
          .hint("give its nodes more constraints, and connect them by edges");
    return std::move(found_);
  }

  /// Where it ended, when nothing was found: an alias that no node fits, or the most that was placed.
  std::string end() const {
    for (const std::string& text : unfit_)
      if (!text.empty()) return text;
    std::string placed;
    for (std::size_t d = 0; d < deepest_.size(); ++d)
      placed +=
          fmt::format("{}\"{}\" may be '{}'", d == 0 ? "" : ", ", pattern_.nodes[order_[d]].alias, deepest_[d].name());
    const std::string& next = pattern_.nodes[order_[std::min(deepest_.size(), order_.size() - 1)]].alias;
    return fmt::format("{}; no node that fits \"{}\" has the edges that the pattern requires",
                       placed.empty() ? "nothing is placed" : placed, next);
  }

 private:
  /// Why no node is `node` of the pattern: how many nodes fit each constraint by itself.
  std::string describe_unfit(const SubgraphNode& node) const {
    std::string text = fmt::format("no node fits \"{}\"", node.alias);
    for (const AttributeConstraint& constraint : node.attributes) {
      std::size_t fitting = 0;
      for (const Node candidate : graph_.nodes())
        fitting += fulfils(candidate, constraint, pattern_.framework_names) ? 1 : 0;
      const auto* wanted = std::get_if<AttributeValue>(&constraint.wanted);
      const auto* name = wanted ? wanted->get_if<std::string>() : nullptr;
      text += fmt::format("; {}{} fits {} node{}", constraint.name, name ? " " + *name : "", fitting,
                          fitting == 1 ? "" : "s");
    }
    return text;
  }

  bool fits(std::size_t i, const Node& node) const {
    const auto& wanted = pattern_.nodes[i].attributes;
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const AttributeConstraint& c) { return fulfils(node, c, pattern_.framework_names); });
  }

  /// The rarest node first, then always one that touches those before it.
  void find_order() {
    std::vector<std::size_t> count(compiled_.size);
    for (const Node node : graph_.nodes())
      for (std::size_t i = 0; i < compiled_.size; ++i) count[i] += fits(i, node) ? 1 : 0;
    std::vector<bool> done(compiled_.size);
    while (order_.size() < compiled_.size) {
      std::optional<std::size_t> best;
      bool best_touches = false;
      for (std::size_t i = 0; i < compiled_.size; ++i) {
        if (done[i]) continue;
        const bool touches =
            std::any_of(order_.begin(), order_.end(), [&](std::size_t other) { return compiled_.adjacent(i, other); });
        if (best && (best_touches > touches || (best_touches == touches && count[*best] <= count[i]))) continue;
        best = i;
        best_touches = touches;
      }
      done[*best] = true;
      order_.push_back(*best);
    }
    unfit_.resize(compiled_.size);
    for (std::size_t i = 0; i < compiled_.size; ++i)
      if (count[i] == 0) unfit_[i] = describe_unfit(pattern_.nodes[i]);
    hopeless_ = std::any_of(count.begin(), count.end(), [](std::size_t n) { return n == 0; });
  }

  bool edges_fit(std::size_t a, const Node& from, std::size_t b, const Node& to) const {
    const std::vector<EdgePorts>& wanted = compiled_.edges[a * compiled_.size + b];
    const std::vector<Edge> have = edges_between(from, to);
    return (pattern_.allow_extra_edges || have.size() == wanted.size()) && covers(wanted, have);
  }

  bool can_place(std::size_t depth, const Node& node) const {
    const std::size_t i = order_[depth];
    for (std::size_t d = 0; d < depth; ++d)
      if (matched_[order_[d]] == node) return false;
    if (!fits(i, node)) return false;
    for (std::size_t d = 0; d < depth; ++d) {
      const std::size_t other = order_[d];
      if (!edges_fit(i, node, other, matched_[other]) || !edges_fit(other, matched_[other], i, node)) return false;
    }
    return true;
  }

  /// Nodes beside a matched neighbour in the pattern; all nodes for the first of a component.
  std::vector<Node> candidates(std::size_t depth) const {
    std::vector<Node> near;
    const std::size_t i = order_[depth];
    for (std::size_t d = 0; d < depth; ++d) {
      const std::size_t other = order_[d];
      if (!compiled_.adjacent(i, other)) continue;
      std::unordered_set<std::uint32_t> seen;
      const auto add = [&](const Node& node) {
        if (seen.insert(node.id().index).second) near.push_back(node);
      };
      if (!compiled_.edges[i * compiled_.size + other].empty()) {
        for (const InPort& port : matched_[other].in_ports())
          if (const Value source = port.get_source()) add(source.node());
      } else {
        for (const OutPort& port : matched_[other].out_ports())
          for (const InPort& reader : port.get_destinations()) add(reader.node());
      }
      std::sort(near.begin(), near.end(), [](const Node& a, const Node& b) { return a.id() < b.id(); });
      return near;
    }
    for (const Node node : graph_.nodes()) near.push_back(node);
    return near;
  }

  /// False when the budget is used up. As deep as the pattern has nodes.
  bool extend(std::size_t depth) {
    if (hopeless_) return true;
    if (depth == order_.size()) {
      std::map<std::string, Node, std::less<>> nodes;
      for (std::size_t i = 0; i < compiled_.size; ++i) nodes.emplace(pattern_.nodes[i].alias, matched_[i]);
      found_.emplace_back(std::move(nodes));
      return true;
    }
    for (const Node& node : candidates(depth)) {
      if (steps_-- == 0) return false;
      if (!can_place(depth, node)) continue;
      matched_[order_[depth]] = node;
      if (depth + 1 > deepest_.size()) {
        deepest_.clear();
        for (std::size_t d = 0; d <= depth; ++d) deepest_.push_back(matched_[order_[d]]);
      }
      if (!extend(depth + 1)) return false;
      matched_[order_[depth]] = Node();
    }
    return true;
  }

  const Graph& graph_;
  const SubgraphPattern& pattern_;
  const Compiled& compiled_;
  std::vector<std::size_t> order_;
  std::vector<Node> matched_;
  std::vector<AliasMatch> found_;
  std::vector<std::string> unfit_;  ///< by node of the pattern; empty where some node fits
  std::vector<Node> deepest_;       ///< the most that was placed, in the order of the search
  std::size_t steps_;
  bool hopeless_ = false;
};

}  // namespace

const Node& AliasMatch::operator[](std::string_view alias) const {
  const auto it = nodes_.find(alias);
  if (it == nodes_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, node] : nodes_) known.push_back(name);
    throw Misuse(fmt::format("the match has no alias \"{}\"; it has {}", alias, fmt::join(known, ", ")));
  }
  return it->second;
}

std::vector<Node> AliasMatch::nodes() const {
  std::vector<Node> all;
  for (const auto& [alias, node] : nodes_) all.push_back(node);
  return all;
}

bool AliasMatch::alive() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const auto& entry) { return entry.second.alive(); });
}

Expected<std::vector<AliasMatch>> find_subgraphs(const Graph& graph, const SubgraphPattern& pattern, std::string* why) {
  MO_ASSIGN(const Compiled compiled, compile(pattern));
  Search search(graph, pattern, compiled);
  MO_ASSIGN(std::vector<AliasMatch> found, search.run());
  if (found.empty() && why) *why = search.end();
  return found;
}

}  // namespace mo
