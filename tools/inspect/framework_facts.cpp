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

ModelFacts facts_of_model(const ModelGraph& model) {
  ModelFacts facts = facts_as_read(*model.graph);
  switch (model.source) {
    case ModelSource::framework: facts.framework = model.assembly ? model.assembly->title : "TensorFlow"; break;
    case ModelSource::ir: facts.framework = "OpenVINO IR"; break;
    case ModelSource::text: facts.framework = "text form"; break;
  }
  if (model.graph->has_types()) add_inferred(facts, *model.graph);
  if (model.source == ModelSource::framework) return facts;
  for (const Node node : model.graph->nodes())
    if (const OpType& type = node.op_type(); type.opset_name.empty() && type.opset > 0 && !type.dynamic)
      facts.op_sets["opset" + std::to_string(type.opset)] = type.opset;
  return facts;
}

}  // namespace mo::tools
