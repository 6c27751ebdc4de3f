#include "tools/inspect/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/graph/model_ends.hpp"
#include "tools/inspect/costs.hpp"

namespace mo::tools {
namespace {

/// The op under the name that the file gives it.
std::string op_of(const Node& node) {
  const Origin origin = node.origin();
  if (!origin.op.empty()) return std::string(origin.op);
  const std::string_view type = node.type();
  return std::string(type.substr(type.find("::") == std::string_view::npos ? 0 : type.find("::") + 2));
}

bool is_end(const Node& node) { return node.is<Parameter>() || node.is<Result>(); }

void count_tensor(const Tensor& tensor, ModelFacts& facts) {
  if (tensor.empty()) return;
  facts.parameters += tensor.element_count();
  const std::size_t bytes = is_named(tensor.element_type())
                                ? tensor.byte_size()
                                : byte_size(tensor.element_type(), tensor.element_count()).value_or(0);
  facts.parameter_bytes += static_cast<std::int64_t>(bytes);
  facts.parameter_types[std::string(to_string(tensor.element_type()))] += bytes;
}

/// Constants, and what layers carry with them until they are translated (blobs of Caffe).
void count_tensors(const Node& node, ModelFacts& facts) {
  if (const Const* constant = node.as<Const>()) return count_tensor(constant->value, facts);
  if (!node.op_type().dynamic) return;
  for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload())) {
    if (const Tensor* tensor = item.value.get_if<Tensor>()) count_tensor(*tensor, facts);
    if (const AttributeList* list = item.value.get_if<AttributeList>())
      for (const AttributeValue& value : *list)
        if (const Tensor* tensor = value.get_if<Tensor>()) count_tensor(*tensor, facts);
  }
}

EndFacts end_facts(const Node& end) {
  EndFacts facts;
  const Value tensor = tensor_of_end(end);
  facts.name = end.is<Result>() && tensor ? tensor.node().name() : end.name();
  if (!tensor) return facts;
  for (const std::string_view name : tensor.data().tensor_names()) facts.tensor_names.emplace_back(name);
  const Parameter* declared = end.as<Parameter>();
  facts.type = declared ? TensorType{declared->element_type, declared->shape} : tensor.type();
  return facts;
}

std::string text_property(const Graph& graph, std::string_view name) {
  const AttributeValue* value = graph.properties.find(name);
  const std::string* text = value ? value->get_if<std::string>() : nullptr;
  return text ? *text : std::string();
}

void add_properties(const Graph& graph, ModelFacts& facts) {
  facts.producer = text_property(graph, "producer_name");
  if (const std::string version = text_property(graph, "producer_version"); !version.empty() && !facts.producer.empty())
    facts.producer += " " + version;
  const auto number = [&](std::string_view name) -> const std::int64_t* {
    const AttributeValue* value = graph.properties.find(name);
    return value ? value->get_if<std::int64_t>() : nullptr;
  };
  for (const char* name : {"ir_version", "onnx_ir_version"})
    if (const std::int64_t* version = number(name)) facts.versions["IR version"] = std::to_string(*version);
  if (const std::int64_t* version = number("model_version")) facts.versions["model version"] = std::to_string(*version);
  if (const std::int64_t* count = number("function_count")) facts.functions = static_cast<std::size_t>(*count);
  if (const AttributeValue* imports = graph.properties.find("opset_imports"); imports && imports->map())
    for (const AttributeMap::Item& item : *imports->map())
      if (const std::int64_t* version = item.value.get_if<std::int64_t>()) facts.op_sets[item.name] = *version;
}

ControlFlowFacts control_flow_facts(const Node& owner) {
  ControlFlowFacts facts{std::string(owner.name()), op_of(owner)};
  for (Graph* body : owner.bodies()) {
    ++facts.bodies;
    for (const Graph* each : with_bodies(*body)) facts.nodes += each->node_count();
  }
  return facts;
}

}  // namespace

std::string_view to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::fixed: return "fixed";
    case Certainty::partly: return "dynamic";
    case Certainty::unknown_rank: return "unknown rank";
  }
  return "";
}

std::vector<std::string> dimension_names_of(const Graph& graph) {
  const AttributeValue* const names = graph.properties.find("dim_params");
  const auto* const list = names ? names->get_if<std::vector<std::string>>() : nullptr;
  return list ? *list : std::vector<std::string>();
}

std::string shape_text(const PartialShape& shape, const std::vector<std::string>& names) {
  if (!shape.has_rank()) return shape.to_string();
  constexpr std::int64_t kAnything = 1'000'000'000;  // exporters write such limits where there is none
  std::vector<std::string> dims;
  for (const Dimension& dim : shape) {
    const bool is_named = dim.symbol() != 0 && dim.symbol() <= names.size() && !names[dim.symbol() - 1].empty();
    const bool is_open = !dim.is_known() && dim.min() <= 1 && dim.max() >= kAnything;
    dims.push_back(is_named ? names[dim.symbol() - 1] : is_open ? "?" : Dimension(dim.min(), dim.max()).to_string());
  }
  return fmt::format("[{}]", fmt::join(dims, ","));
}

Certainty certainty_of(const PartialShape& shape) {
  if (!shape.has_rank()) return Certainty::unknown_rank;
  return shape.is_static() ? Certainty::fixed : Certainty::partly;
}

std::int64_t ModelFacts::multiply_adds() const {
  std::int64_t sum = 0;
  for (const LayerCost& cost : costs) sum += cost.multiply_adds.value_or(0);
  return sum;
}

bool ModelFacts::all_costs_known() const {
  return std::all_of(costs.begin(), costs.end(), [](const LayerCost& cost) { return cost.multiply_adds.has_value(); });
}

ModelFacts facts_as_read(const Graph& graph) {
  ModelFacts facts;
  add_properties(graph, facts);
  facts.dimension_names = dimension_names_of(graph);
  for (const Node& parameter : graph.parameters()) facts.inputs.push_back(end_facts(parameter));
  for (const Node& result : graph.results()) facts.outputs.push_back(end_facts(result));
  for (const Graph* each : with_bodies(const_cast<Graph&>(graph))) {
    for (const Node node : each->nodes()) {
      count_tensors(node, facts);
      if (is_end(node) || node.is<Const>()) continue;
      ++facts.nodes;
      ++facts.ops[op_of(node)];
    }
    for (const Node& owner : each->body_owners()) facts.control_flow.push_back(control_flow_facts(owner));
  }
  return facts;
}

void add_inferred(ModelFacts& facts, const Graph& graph) {
  const auto complete = [](std::vector<EndFacts>& ends, const std::vector<Node>& nodes) {
    const bool same = ends.size() == nodes.size();
    std::vector<EndFacts> found;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      EndFacts facts_now = end_facts(nodes[i]);
      facts_now.inferred = same && !(ends[i].type == facts_now.type);
      if (same && facts_now.tensor_names.empty()) facts_now.tensor_names = ends[i].tensor_names;
      found.push_back(std::move(facts_now));
    }
    ends = std::move(found);
  };
  complete(facts.inputs, graph.parameters());
  complete(facts.outputs, graph.results());
  facts.costs = costs_of(graph);
}

}  // namespace mo::tools
