#include "tools/diff/compare.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <set>

#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "tools/common/console.hpp"
#include "tools/transform/flags.hpp"

namespace mo::tools {
namespace {

using graph_transforms::attributes_of;
using graph_transforms::op_of;

using Difference = std::optional<std::string>;

std::map<std::string_view, Node> nodes_by_name(const Graph& graph) {
  std::map<std::string_view, Node> nodes;
  for (const Node node : graph.nodes()) nodes[node.name()] = node;
  return nodes;
}

std::string input_text(const Value& source) { return fmt::format("{}:{}", source.node().name(), source.index()); }

std::set<std::string_view> control_names(const Node& node) {
  std::set<std::string_view> names;
  for (const Node& before : node.control_inputs()) names.insert(before.name());
  return names;
}

Difference compare_inputs(const Node& expected, const Node& actual) {
  const std::string_view name = expected.name();
  const std::size_t counts[] = {expected.in_port_count() + expected.control_inputs().size(),
                                actual.in_port_count() + actual.control_inputs().size()};
  if (counts[0] != counts[1])
    return fmt::format("Node named '{}' has {} inputs but expected has {} inputs", name, counts[1], counts[0]);
  for (std::size_t i = 0; i < std::min(expected.in_port_count(), actual.in_port_count()); ++i) {
    const std::string want = input_text(expected.input(i));
    const std::string have = input_text(actual.input(i));
    if (want != have)
      return fmt::format("Node named '{}' has input {} '{}' that doesn't match expected input '{}'", name, i, have,
                         want);
  }
  const auto want = control_names(expected);
  const auto have = control_names(actual);
  for (const std::string_view control : want)
    if (!have.contains(control)) return fmt::format("Node named '{}' is missing control input '^{}'", name, control);
  for (const std::string_view control : have)
    if (!want.contains(control))
      return fmt::format("Node named '{}' has unexpected control input '^{}'", name, control);
  return std::nullopt;
}

Difference compare_attributes(const Node& expected, const Node& actual) {
  // Our own notes ("@…") are about how a file is written; the device was compared.
  const auto is_compared = [](const std::string& key) { return !key.starts_with('_') && !key.starts_with('@'); };
  for (const AttributeMap::Item& want : attributes_of(expected)) {
    if (!is_compared(want.name)) continue;
    const AttributeValue* const have = attributes_of(actual).find(want.name);
    if (!have) return fmt::format("Node named '{}' is missing attr '{}'", expected.name(), want.name);
    if (!(*have == want.value))
      return fmt::format("Node named '{}' has attr '{}' with another value than expected", expected.name(), want.name);
  }
  for (const AttributeMap::Item& have : attributes_of(actual))
    if (is_compared(have.name) && !attributes_of(expected).contains(have.name))
      return fmt::format("Node named '{}' has unexpected attr '{}'", expected.name(), have.name);
  return std::nullopt;
}

Difference compare_nodes(const Node& expected, const Node& actual) {
  if (op_of(expected) != op_of(actual))
    return fmt::format("Node named '{}' has op '{}' but expected '{}'", expected.name(), op_of(actual),
                       op_of(expected));
  const std::string want = expected.attr<std::string>("@device").value_or("");
  const std::string have = actual.attr<std::string>("@device").value_or("");
  if (want != have)
    return fmt::format("Node named '{}' has device '{}' but expected '{}'", expected.name(), have, want);
  if (Difference found = compare_inputs(expected, actual)) return found;
  return compare_attributes(expected, actual);
}

Expected<Difference> compare_files(const std::string& expected, const std::string& actual) {
  ConsoleSink sink;
  MO_ASSIGN(const std::unique_ptr<Graph> a, tensorflow::read_graph_def(expand_home(expected), sink));
  MO_ASSIGN(const std::unique_ptr<Graph> b, tensorflow::read_graph_def(expand_home(actual), sink));
  return first_difference(*a, *b);
}

}  // namespace

std::optional<std::string> first_difference(const Graph& expected, const Graph& actual) {
  const auto found = nodes_by_name(actual);
  const auto wanted = nodes_by_name(expected);
  for (const Node node : expected.nodes()) {
    const auto twin = found.find(node.name());
    if (twin == found.end()) return fmt::format("Did not find expected node '{}'", node.name());
    if (Difference difference = compare_nodes(node, twin->second)) return difference;
  }
  for (const Node node : actual.nodes())
    if (!wanted.contains(node.name())) return fmt::format("Found unexpected node '{}'", node.name());
  return std::nullopt;
}

int compare_main(int argc, char** argv) {
  constexpr int kFailed = 255;
  const bool help = argc == 2 && std::string_view(argv[1]) == "--help";
  if (argc != 3) {
    std::fputs(
        "usage: compare_graphs EXPECTED ACTUAL\nSays whether two GraphDefs are equal, or the first difference.\n",
        help ? stdout : stderr);
    return help ? 0 : kFailed;
  }
  const auto difference = compare_files(argv[1], argv[2]);
  if (!difference) {
    print(difference.error());
    return kFailed;
  }
  std::puts(*difference ? (*difference)->c_str() : "Graphs are equal.");
  return *difference ? 1 : 0;
}

}  // namespace mo::tools
