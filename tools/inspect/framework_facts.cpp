#include "tools/inspect/framework_facts.hpp"

#include "extensions/object_detection/config_choice.hpp"

namespace mo::tools {

ModelFacts facts_of_model(Graph& graph, const Assembly& assembly) {
  ModelFacts facts = facts_as_read(graph);
  facts.framework = assembly.title;
  const auto tables = assembly.registry.operators().find(assembly.framework);
  for (const auto& [op, count] : facts.ops) {
    // Origins write a domain with a dot before the op, tables with colons.
    const std::size_t dot = op.rfind('.');
    const bool has_domain = dot != std::string::npos && op.find('.') != std::string::npos;
    const bool known = tables != assembly.registry.operators().end() && tables->second.rows().contains(op);
    if (!known || has_domain) facts.custom_ops[op] = count;
  }
  if (!object_detection::may_be_detector(graph)) return facts;
  for (const object_detection::ConfigFit& fit : object_detection::fitting_configs(graph, false))
    if (fit.problem.empty()) facts.families.emplace_back(fit.name);
  return facts;
}

}  // namespace mo::tools
