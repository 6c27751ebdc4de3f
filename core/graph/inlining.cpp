#include "core/graph/inlining.hpp"
#include "core/graph/copying.hpp"

#include <unordered_map>

namespace mo {
namespace {

/// By node id: whether a Result or something with state needs it.
std::vector<bool> needed_nodes(const Graph& body) {
  std::vector<bool> needed(body.node_capacity());
  std::vector<Node> open;
  const auto need = [&](const Node& node) {
    if (needed[node.id().index]) return;
    needed[node.id().index] = true;
    open.push_back(node);
  };
  for (const Node node : body.nodes())
    if (node.is<Result>() || node.op_type().traits.stateful) need(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i)) need(source.node());
  }
  return needed;
}

/// The same node without its op and its inputs.
void take_record(const Node& from, const Node& to) {
  to.set_name(from.name());
  to.set_origin(from.origin());
  to.add_sources_of(from);
  if (const AttributeMap* info = from.rt_info())
    for (const auto& item : *info)
      if (const AttributeMap* fields = item.value.map()) to.set_rt_info(item.name, *fields);
  for (std::size_t i = 0; i < from.out_port_count(); ++i)
    to.out_port(i).data().add_tensor_names_of(from.out_port(i).data());
}

Node put_node(const Node& node, Graph& graph, const std::vector<Value>& inputs, BodyFate fate) {
  if (const auto* constant = node.as<Const>(); constant && !constant->value.empty())
    return graph.create_constant(constant->value);
  const std::size_t outputs = node.out_port_count();
  return graph.create_node(fate == BodyFate::used_up ? node.take_op() : copy_op(node), inputs, outputs);
}

}  // namespace

Expected<InlinedBody> put_inline(Graph& body, Graph& graph, const std::vector<Value>& arguments, BodyFate fate) {
  const std::vector<Node> parameters = body.parameters();
  if (parameters.size() != arguments.size())
    return error("MO-GRAPH-0014", "a body takes {} arguments and gets {}", parameters.size(), arguments.size())
        .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
  MO_ASSIGN(const std::vector<Node> order, body.topological_order());
  const std::vector<bool> needed = needed_nodes(body);
  std::unordered_map<ValueId, Value> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) values.emplace(parameters[i].output().id(), arguments[i]);
  std::unordered_map<NodeId, Node> made;
  InlinedBody inlined;
  inlined.nodes.reserve(order.size());
  std::vector<Value> inputs;
  for (const Node& node : order) {
    if (!needed[node.id().index] || node.is<Parameter>() || node.is<Result>()) continue;
    inputs.assign(node.in_port_count(), Value());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (const Value source = node.input(i)) inputs[i] = values.at(source.id());
    const std::vector<Node> before = node.control_inputs();
    const Node copy = put_node(node, graph, inputs, fate);
    take_record(node, copy);
    for (const Node& earlier : before)
      if (const auto found = made.find(earlier.id()); found != made.end()) copy.add_control_input(found->second);
    for (std::size_t i = 0; i < node.out_port_count(); ++i) values.emplace(node.out_port(i).id(), copy.out_port(i));
    made.emplace(node.id(), copy);
    inlined.nodes.push_back(copy);
  }
  for (const Node& result : body.results()) {
    const Value value = result.input(0) ? values.at(result.input(0).id()) : Value();
    if (!value)
      return error("MO-GRAPH-0014", "output '{}' of a body is not connected", result.name())
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    inlined.results.push_back(value);
  }
  return inlined;
}

}  // namespace mo
