#include "tools/inspect/facts_json.hpp"

#include <nlohmann/json.hpp>

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

/// A number, or a text such as "?" or "1..8"; null for an unknown rank.
Json shape_json(const PartialShape& shape) {
  if (!shape.has_rank()) return nullptr;
  Json dims = Json::array();
  for (const Dimension& dim : shape) {
    if (dim.is_known())
      dims.push_back(dim.value());
    else
      dims.push_back(Dimension(dim.min(), dim.max()).to_string());
  }
  return dims;
}

Json ends_json(const std::vector<EndFacts>& ends) {
  Json rows = Json::array();
  for (const EndFacts& end : ends)
    rows.push_back({{"name", end.name},
                    {"tensor_names", end.tensor_names},
                    {"element_type", std::string(to_string(end.type.element_type))},
                    {"shape", shape_json(end.type.shape)},
                    {"certainty", std::string(to_string(certainty_of(end.type.shape)))},
                    {"inferred", end.inferred}});
  return rows;
}

Json costs_json(const ModelFacts& facts) {
  Json layers = Json::array();
  for (const LayerCost& cost : facts.costs)
    layers.push_back({{"name", cost.name},
                      {"op", cost.op},
                      {"multiply_adds", cost.multiply_adds ? Json(*cost.multiply_adds) : Json()}});
  return {{"total", facts.multiply_adds()}, {"all_known", facts.all_costs_known()}, {"layers", std::move(layers)}};
}

}  // namespace

nlohmann::ordered_json facts_json(const ModelFacts& facts) {
  Json control_flow = Json::array();
  for (const ControlFlowFacts& owner : facts.control_flow)
    control_flow.push_back({{"name", owner.name}, {"op", owner.op}, {"bodies", owner.bodies}, {"nodes", owner.nodes}});
  return {{"framework", facts.framework},
          {"producer", facts.producer},
          {"versions", facts.versions},
          {"op_sets", facts.op_sets},
          {"nodes", facts.nodes},
          {"functions", facts.functions},
          {"parameters",
           {{"count", facts.parameters}, {"bytes", facts.parameter_bytes}, {"bytes_by_type", facts.parameter_types}}},
          {"multiply_adds", costs_json(facts)},
          {"ops", facts.ops},
          {"custom_ops", facts.custom_ops},
          {"families", facts.families},
          {"control_flow", std::move(control_flow)},
          {"inputs", ends_json(facts.inputs)},
          {"outputs", ends_json(facts.outputs)}};
}

}  // namespace mo::tools
