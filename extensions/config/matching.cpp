#include "extensions/config/matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "core/support/nearest.hpp"
#include "extensions/config/name_pattern.hpp"

namespace mo::config {
namespace {

std::vector<Node> named_nodes(const Graph& graph) {
  std::vector<Node> nodes;
  for (const Node node : graph.nodes())
    if (!node.is<Result>()) nodes.push_back(node);
  return nodes;
}

std::string near_name(std::string_view wanted, const std::vector<Node>& nodes) {
  std::vector<std::string> known;
  for (const Node& node : nodes) known.emplace_back(node.name());
  const std::string near = nearest(wanted, known, wanted.size() / 2);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

Diagnostic no_port(const Node& node, std::string_view kind, std::int64_t port, std::size_t count) {
  return node
      .error("MO-CONFIG-0013", "'{}' has no {} port {}: it has {} {}{}", node.name(), kind, port, count, kind,
             count == 1 ? "" : "s")
      .hint(
          "ports count from 0; correct the configuration, or write it anew with "
          "--tensorflow_custom_operations_config_update");
}

/// The only node of the match that fits, or none.
Expected<Node> node_in_scope(const std::vector<Node>& matched, const std::string& scope, const std::string& pattern) {
  MO_ASSIGN(const std::vector<Node> found, nodes_that_match(matched, pattern_in_scope(scope, pattern)));
  if (found.size() > 1) return several_match(pattern, found);
  return found.empty() ? Node() : found.front();
}

Expected<void> add_scope_ports(const Descriptor& descriptor, const std::string& scope, SubgraphMatch& match) {
  for (std::size_t i = 0; i < descriptor.inputs.size(); ++i)
    for (const PatternPort& place : descriptor.inputs[i].places) {
      MO_ASSIGN(const Node node, node_in_scope(match.matched_nodes(), scope, place.node));
      if (!node) continue;
      if (static_cast<std::size_t>(place.port) >= node.in_port_count())
        return no_port(node, "input", place.port, node.in_port_count());
      match.add_input(i, {node, static_cast<std::size_t>(place.port)});
    }
  for (std::size_t i = 0; i < descriptor.outputs.size(); ++i) {
    const PatternPort& place = descriptor.outputs[i];
    MO_ASSIGN(const Node node, node_in_scope(match.matched_nodes(), scope, place.node));
    if (!node) continue;
    if (static_cast<std::size_t>(place.port) >= node.out_port_count())
      return no_port(node, "output", place.port, node.out_port_count());
    match.set_output(i, {node, static_cast<std::size_t>(place.port)});
  }
  return {};
}

Expected<FoundMatches> match_scopes(const Descriptor& descriptor, Graph& graph) {
  FoundMatches found;
  const std::vector<Node> nodes = named_nodes(graph);
  std::string absent;
  for (const PatternInput& input : descriptor.inputs)
    for (const PatternPort& place : input.places) {
      MO_ASSIGN(const std::vector<Node> some, nodes_that_match(nodes, ".*" + place.node));
      if (some.empty() && absent.empty()) absent = place.node;
    }
  for (const std::string& scope : descriptor.scopes) {
    MO_ASSIGN(std::vector<Node> matched, nodes_that_match(nodes, scope));
    if (matched.empty() || !absent.empty()) {
      found.misses.push_back(matched.empty()
                                 ? fmt::format("no node name starts as {} requires{}", scope, near_name(scope, nodes))
                                 : fmt::format("no node has the name that input {} requires", absent));
      continue;
    }
    SubgraphMatch match(graph, descriptor.replacement_id, scope, descriptor.custom());
    match.set_nodes(std::move(matched));
    MO_TRY(add_scope_ports(descriptor, scope, match));
    found.matches.push_back(std::move(match));
  }
  return found;
}

std::vector<Node> readers_of(const Node& node) {
  std::vector<Node> readers;
  for (const OutPort& port : node.out_ports())
    for (const InPort& reader : port.get_destinations())
      if (!reader.node().is<Result>()) readers.push_back(reader.node());
  return readers;
}

std::vector<Node> sources_of(const Node& node) {
  std::vector<Node> sources;
  for (const InPort& port : node.in_ports())
    if (const Value source = port.get_source()) sources.push_back(source.node());
  return sources;
}

std::vector<Node> neighbours(const std::vector<Node>& nodes, std::vector<Node> (*next)(const Node&)) {
  std::vector<Node> all;
  for (const Node& node : nodes)
    for (const Node& other : next(node))
      if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  return all;
}

/// Numbers of start and end points are those of inputs and outputs. What stands outside names the tensor that crosses
/// the border there.
void add_point_ports(const Descriptor& descriptor, const std::vector<Node>& starts, const std::vector<Node>& ends,
                     SubgraphMatch& match) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (descriptor.include_inputs) {
      if (starts[i].in_port_count() > 0) match.add_input(i, {starts[i], 0});
      continue;
    }
    if (starts[i].out_port_count() == 0) continue;
    for (const InPort& reader : starts[i].out_port(0).get_destinations())
      if (match.contains(reader.node())) match.add_input(i, {reader.node(), reader.index()});
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (descriptor.include_outputs) {
      if (ends[i].out_port_count() > 0) match.set_output(i, {ends[i], 0});
    } else if (const Value source = ends[i].input(0); source && match.contains(source.node())) {
      match.set_output(i, {source.node(), source.index()});
    }
  }
}

Expected<FoundMatches> match_points(const Descriptor& descriptor, Graph& graph) {
  FoundMatches found;
  const std::vector<Node> nodes = named_nodes(graph);
  std::unordered_map<std::string_view, Node> by_name;
  for (const Node& node : nodes) by_name.emplace(node.name(), node);
  // "a|b": whichever is there first; versions of a framework call the same place differently.
  const auto find_one = [&](std::string_view name) {
    if (const auto it = by_name.find(name); it != by_name.end()) return it->second;
    for (std::string_view rest = name; !rest.empty();) {
      const std::size_t bar = rest.find('|');
      if (const auto it = by_name.find(rest.substr(0, bar)); it != by_name.end()) return it->second;
      rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
    }
    return Node();
  };
  const auto look_up = [&](const std::vector<std::string>& names, std::string_view kind) {
    std::vector<Node> made;
    for (const std::string& name : names) {
      if (const Node node = find_one(name))
        made.push_back(node);
      else
        found.misses.push_back(
            fmt::format("there is no node '{}', which is {} point{}", name, kind, near_name(name, nodes)));
    }
    return made;
  };
  const std::vector<Node> starts = look_up(descriptor.start_points, "a start");
  const std::vector<Node> ends = look_up(descriptor.end_points, "an end");
  if (!found.misses.empty()) return found;
  const std::vector<Node> first = descriptor.include_inputs ? starts : neighbours(starts, readers_of);
  const std::vector<Node> last = descriptor.include_outputs ? ends : neighbours(ends, sources_of);
  MO_ASSIGN(std::vector<Node> matched, nodes_between(first, last));
  SubgraphMatch match(graph, descriptor.replacement_id, "", descriptor.custom());
  match.set_nodes(std::move(matched));
  add_point_ports(descriptor, starts, ends, match);
  found.matches.push_back(std::move(match));
  return found;
}

std::string way_to(const Node& node, const std::unordered_map<std::uint32_t, Node>& from) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> names;
  Node at = node;
  while (names.size() < kShown) {
    names.emplace_back(at.name());
    const auto it = from.find(at.id().index);
    if (it == from.end()) break;
    at = it->second;
  }
  return fmt::format("{}", fmt::join(names, " - "));
}

}  // namespace

std::string pattern_in_scope(const std::string& scope, const std::string& pattern) {
  return scope.empty() ? pattern : scope + (scope.ends_with('/') ? "" : "/") + pattern;
}

Expected<std::vector<Node>> nodes_that_match(const std::vector<Node>& nodes, const std::string& pattern) {
  MO_ASSIGN(const NamePattern compiled, NamePattern::compile(pattern));
  std::vector<Node> found;
  for (const Node& node : nodes)
    if (node.alive() && compiled.matches(node.name())) found.push_back(node);
  return found;
}

Diagnostic several_match(const std::string& pattern, const std::vector<Node>& found) {
  std::vector<std::string> names;
  for (const Node& node : found)
    if (names.size() < 10) names.push_back(fmt::format("'{}'", node.name()));
  return error("MO-CONFIG-0020", "the pattern {} fits {} nodes: {}{}", pattern, found.size(), fmt::join(names, ", "),
               found.size() > names.size() ? ", …" : "")
      .hint("make it match one node: write more of the name, and $ at its end");
}

Expected<std::vector<Node>> nodes_between(const std::vector<Node>& start, const std::vector<Node>& end) {
  const auto ids = [](const std::vector<Node>& nodes) {
    std::unordered_set<std::uint32_t> made;
    for (const Node& node : nodes) made.insert(node.id().index);
    return made;
  };
  const auto is_start = ids(start);
  const auto is_end = ids(end);
  std::unordered_set<std::uint32_t> visited = is_start;
  std::unordered_map<std::uint32_t, Node> from;
  std::deque<Node> open(start.begin(), start.end());
  std::vector<Node> between;
  while (!open.empty()) {
    const Node node = open.front();
    open.pop_front();
    between.push_back(node);
    const auto visit = [&](const Node& next) {
      if (!visited.insert(next.id().index).second) return;
      from.emplace(next.id().index, node);
      open.push_back(next);
    };
    if (!is_end.contains(node.id().index))
      for (const Node& reader : readers_of(node)) visit(reader);
    // What inner nodes are computed from belongs to the sub-graph; what start points read does not.
    if (!is_start.contains(node.id().index))
      for (const Node& source : sources_of(node)) visit(source);
  }
  std::unordered_set<std::uint32_t> reached = is_start;
  std::vector<Node> stack = start;
  while (!stack.empty()) {
    const Node node = stack.back();
    stack.pop_back();
    for (const Node& reader : readers_of(node))
      if (reached.insert(reader.id().index).second) stack.push_back(reader);
  }
  for (const Node& node : end)
    if (!reached.contains(node.id().index))
      return node.error("MO-CONFIG-0021", "the end point '{}' cannot be reached from any start point", node.name())
          .hint("check start_points and end_points: every end point must depend on a start point");
  for (const Node& node : between)
    if (node.is<Parameter>())
      return node.error("MO-CONFIG-0022", "the input '{}' of the model lies between start and end points", node.name())
          .note("the path back from it: {}", way_to(node, from))
          .hint("a side branch of the sub-graph depends on this input: make the place where it enters a start point");
  return between;
}

bool is_connected(const std::vector<Node>& nodes) {
  if (nodes.empty()) return true;
  std::unordered_map<std::uint32_t, bool> seen;
  for (const Node& node : nodes) seen.emplace(node.id().index, false);
  std::vector<Node> open = {nodes.front()};
  seen[nodes.front().id().index] = true;
  std::size_t count = 1;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const auto& next : {readers_of(node), sources_of(node)})
      for (const Node& other : next) {
        const auto it = seen.find(other.id().index);
        if (it == seen.end() || it->second) continue;
        it->second = true;
        ++count;
        open.push_back(other);
      }
  }
  return count == seen.size();
}

Boundary boundary_of(const std::vector<Node>& nodes) {
  std::unordered_set<std::uint32_t> inside;
  for (const Node& node : nodes) inside.insert(node.id().index);
  const auto before = [](const NodePort& a, const NodePort& b) {
    return std::pair(a.node.name(), a.port) < std::pair(b.node.name(), b.port);
  };
  std::map<ValueId, std::vector<NodePort>> arriving;
  Boundary boundary;
  for (const Node& node : nodes) {
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source(); source && !inside.contains(source.node().id().index))
        arriving[source.id()].push_back({node, port.index()});
    bool read = false;
    for (const OutPort& port : node.out_ports()) {
      const std::vector<InPort> readers = port.get_destinations();
      read = read || !readers.empty();
      if (std::any_of(readers.begin(), readers.end(),
                      [&](const InPort& reader) { return !inside.contains(reader.node().id().index); }))
        boundary.outputs.push_back({node, port.index()});
    }
    if (!read && !node.is<Const>() && node.out_port_count() > 0) boundary.outputs.push_back({node, 0});
  }
  for (auto& [value, places] : arriving) {
    std::sort(places.begin(), places.end(), before);
    boundary.inputs.push_back(std::move(places));
  }
  std::sort(boundary.inputs.begin(), boundary.inputs.end(),
            [&](const auto& a, const auto& b) { return before(a.front(), b.front()); });
  std::sort(boundary.outputs.begin(), boundary.outputs.end(), before);
  return boundary;
}

Expected<FoundMatches> find_matches(const Descriptor& descriptor, Graph& graph) {
  auto found =
      descriptor.match_kind == MatchKind::scope ? match_scopes(descriptor, graph) : match_points(descriptor, graph);
  if (!found)
    for (Diagnostic& d : found.error().items()) {
      if (d.location.empty()) d.location = descriptor.location;
      d.notes.push_back(fmt::format("while looking for the sub-graph of \"{}\"", descriptor.replacement_id));
    }
  return found;
}

}  // namespace mo::config
