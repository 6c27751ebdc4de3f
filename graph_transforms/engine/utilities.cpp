#include "graph_transforms/engine/utilities.hpp"

#include <charconv>

#include "graph_transforms/engine/names.hpp"

namespace mo::graph_transforms {
namespace {

/// Follows renames to their ends.
class RenameChaser {
 public:
  explicit RenameChaser(const InputRenames& renames) {
    for (const auto& [from, to] : renames)
      if (from.ends_with(":*"))
        any_port_.emplace(node_name_from_input(from), to);
      else
        exact_.emplace(canonical_input_name(from), to);
  }

  /// What `reference` has become, in canonical form.
  Expected<std::string> chased(const std::string& reference) const {
    std::string name = canonical_input_name(reference);
    std::set<std::string> seen{name};
    for (;;) {
      std::optional<std::string> next = renamed(name);
      if (!next) return name;
      name = canonical_input_name(*next);
      if (!seen.insert(name).second)
        return error("MO-GTT-0053", "renaming of inputs contains a cycle for {}", reference)
            .hint("correct the names that the transform gives");
    }
  }

 private:
  std::optional<std::string> renamed(const std::string& name) const {
    if (const auto found = exact_.find(name); found != exact_.end()) return found->second;
    const NodeNameParts parts = node_name_parts_from_input(name);
    const auto found = any_port_.find(parts.node);
    if (found == any_port_.end()) return std::nullopt;
    return std::string(parts.prefix).append(found->second).append(parts.suffix);
  }

  std::map<std::string, std::string, std::less<>> exact_;
  std::map<std::string, std::string, std::less<>> any_port_;
};

/// The tensor of a canonical name.
Expected<Value> tensor_named(GraphEditor& editor, const std::string& name) {
  const NodeNameParts parts = node_name_parts_from_input(name);
  const Node node = editor.find(parts.node);
  std::size_t port = 0;
  const std::string_view digits = parts.suffix.substr(std::min<std::size_t>(1, parts.suffix.size()));
  const auto [end, cause] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool is_port = cause == std::errc() && end == digits.data() + digits.size();
  if (!node || !parts.prefix.empty() || !is_port)
    return error("MO-GTT-0053", "an input was renamed to {}, which is not a tensor of the graph", name)
        .hint("correct the names that the transform gives");
  return node.add_output_port(port);
}

/// The control edges of the graph anew: single ones cannot be taken away.
Expected<void> rename_control_inputs(GraphEditor& editor, const RenameChaser& chaser,
                                     const std::set<std::string, std::less<>>& ignored) {
  std::vector<std::pair<Node, Node>> edges;
  for (const Node node : editor.graph().nodes()) {
    for (Node before : node.control_inputs()) {
      if (!ignored.contains(node.name())) {
        const std::string reference = "^" + std::string(before.name());
        MO_ASSIGN(const std::string name, chaser.chased(reference));
        before = editor.find(node_name_from_input(name));
        if (!before || !name.starts_with('^'))
          return node.error("MO-GTT-0053", "{} was renamed to {}, which cannot be a control input", reference, name)
              .hint("correct the names that the transform gives");
      }
      edges.emplace_back(node, before);
    }
  }
  editor.graph().drop_control_edges();
  for (const auto& [node, before] : edges) node.add_control_input(before);
  return {};
}

}  // namespace

std::map<std::string, Node, std::less<>> map_names_to_nodes(const Graph& graph) {
  std::map<std::string, Node, std::less<>> nodes;
  for (const Node node : graph.nodes()) nodes.insert_or_assign(std::string(node.name()), node);
  return nodes;
}

std::map<std::string, std::vector<Node>, std::less<>> map_nodes_to_outputs(const Graph& graph) {
  std::map<std::string, std::vector<Node>, std::less<>> readers;
  for (const Node node : graph.nodes()) {
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) readers[std::string(source.node().name())].push_back(node);
    for (const Node& before : node.control_inputs()) readers[std::string(before.name())].push_back(node);
  }
  return readers;
}

void filter_graph(Graph& graph, const std::function<bool(const Node&)>& keeps) {
  std::vector<Node> unwanted;
  for (const Node node : graph.nodes())
    if (!keeps(node)) unwanted.push_back(node);
  for (const Node& node : unwanted) graph.erase(node);
}

void remove_attributes(Graph& graph, const std::vector<std::string>& names) {
  for (const Node node : graph.nodes())
    for (const std::string& name : names) attributes_of(node).erase(name);
}

Expected<void> rename_node_inputs(GraphEditor& editor, const InputRenames& renames,
                                  const std::set<std::string, std::less<>>& ignored) {
  const RenameChaser chaser(renames);
  for (const Node node : editor.graph().nodes()) {
    if (ignored.contains(node.name())) continue;
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      const std::string old = fmt::format("{}:{}", source.node().name(), source.index());
      MO_ASSIGN(const std::string name, chaser.chased(old));
      if (name == old) continue;
      MO_ASSIGN(const Value found, tensor_named(editor, name));
      editor.set_input(node, port.index(), found);
    }
  }
  return rename_control_inputs(editor, chaser, ignored);
}

}  // namespace mo::graph_transforms
