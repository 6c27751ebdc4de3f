#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/rewrite.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// "Add_12": made up, not given by a user.
bool is_automatic(const Node& node) {
  const std::string_view name = node.name();
  const std::string_view type = node.type();
  if (!name.starts_with(type) || name.size() < type.size() + 2 || name[type.size()] != '_') return false;
  const std::string_view number = name.substr(type.size() + 1);
  return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Users address inputs, states and outputs by name.
bool keeps_name(const Node& node) {
  if (node.is<Result>()) return true;
  if (node.is<Parameter>() || node.op_type().traits.stateful) return !is_automatic(node);
  const auto ports = node.out_ports();
  return std::any_of(ports.begin(), ports.end(), [](const OutPort& port) { return is_model_output(port); });
}

}  // namespace

void register_resolve_name_collisions(PassRegistry& passes) {
  passes.offer(graph_pass("ResolveNameCollisions")
                   .described("several nodes of the name n", "n, n_2, n_3 …",
                              "Results and their producers keep their names; Parameters and states keep given ones")
                   .whole_graph("a name is unique among all nodes")
                   .run([](Graph& graph, PassContext&) -> Expected<bool> {
                     std::unordered_map<std::string, std::vector<Node>> of_name;
                     for (const Node node : graph.nodes())
                       if (!node.name().empty()) of_name[std::string(node.name())].push_back(node);
                     bool changed = false;
                     MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
                     std::unordered_set<std::string> taken;
                     for (const auto& [name, nodes] : of_name) taken.insert(name);
                     std::unordered_set<std::string> seen;
                     for (const Node& node : order) {
                       const std::string name(node.name());
                       if (name.empty() || of_name[name].size() < 2) continue;
                       const std::vector<Node>& same = of_name[name];
                       const bool held = std::any_of(same.begin(), same.end(), keeps_name);
                       if (keeps_name(node) || (!held && seen.insert(name).second)) continue;
                       int number = 2;
                       while (!taken.insert(fmt::format("{}_{}", name, number)).second) ++number;
                       node.set_name(fmt::format("{}_{}", name, number));
                       changed = true;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
