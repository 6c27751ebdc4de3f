#include "driver/op_names.hpp"

#include <set>

#include "core/graph/bodies.hpp"
#include "core/pass/framework_names.hpp"
#include "core/support/nearest.hpp"
#include "driver/builtins.hpp"

namespace mo {
namespace {

using Names = std::set<std::string, std::less<>>;

/// All names by which a pass finds ops.
void add_op_names(const Registry& registry, Names& names) {
  for (const auto& [framework, table] : registry.operators())
    for (const auto& [op, rows] : table.rows()) {
      names.insert(op);
      names.emplace(without_domain(op));
      names.insert(op.find("::") == std::string::npos ? fmt::format("{}::{}", framework, op) : op);
    }
  for (const OpType* type : registry.ops().all()) names.emplace(type->name);
}

/// A plugin may be for another framework than the one of this conversion, and for an op that only its models have.
Names all_op_names(const Registry& registry, Graph& model) {
  Names names;
  for (const Graph* graph : with_bodies(model))
    for (const Node node : graph->nodes()) {
      names.emplace(node.type());
      names.emplace(without_domain(node.type()));
    }
  add_op_names(registry, names);
  Registry everything;
  register_builtins(everything);
  add_op_names(everything, names);
  return names;
}

}  // namespace

Expected<void> check_op_names(const Registry& registry, const PassManager& passes, Graph& model) {
  Names known;
  std::vector<Diagnostic> problems;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const std::vector<const Pass*> members, passes.order(phase));
    for (const Pass* pass : members) {
      if (pass->plugin.empty()) continue;
      for (const std::string& op : pass->ops) {
        if (known.empty()) known = all_op_names(registry, model);
        if (known.contains(op)) continue;
        problems.push_back(
            error("MO-PLUGIN-0027", "pass {} of plugin {} looks for op {}, which nothing is called", pass->name,
                  pass->plugin, op)
                .hint("did you mean {}? A pass for an op that only other models have says so: .of_unknown_op()",
                      nearest(op, {known.begin(), known.end()})));
      }
    }
  }
  if (!problems.empty()) return Error(std::move(problems));
  return {};
}

}  // namespace mo
