#include "transformations/support/branch_parameters.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ops/if.hpp"

namespace mo::transformations {
namespace {

bool has_unread(const Graph& body) {
  const std::vector<Node> parameters = body.parameters();
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Node& parameter) { return parameter.output().disconnected(); });
}

/// Takes the Parameters without readers out of a branch.
void drop_unread(Graph& body, std::vector<ops::InputMap>& maps) {
  std::vector<std::int64_t> places;
  std::int64_t next = 0;
  for (const Node& parameter : body.parameters()) {
    const bool is_read = !parameter.output().disconnected();
    places.push_back(is_read ? next++ : -1);
    if (!is_read) body.erase(parameter);
  }
  for (ops::InputMap& map : maps) map.parameter = places[static_cast<std::size_t>(map.parameter)];
  std::erase_if(maps, [](const ops::InputMap& map) { return map.parameter < 0; });
}

/// The inputs that a branch takes, and the condition. The maps count ports among them afterwards.
std::vector<Value> read_inputs(const Node& node, ops::If& op) {
  std::vector<std::int64_t> ports(node.in_port_count(), -1);
  ports[0] = 0;
  for (const auto* maps : {&op.then_input_map, &op.else_input_map})
    for (const ops::InputMap& map : *maps) ports[static_cast<std::size_t>(map.input)] = 0;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] < 0) continue;
    ports[i] = static_cast<std::int64_t>(inputs.size());
    inputs.push_back(node.input(i));
  }
  for (auto* maps : {&op.then_input_map, &op.else_input_map})
    for (ops::InputMap& map : *maps) map.input = ports[static_cast<std::size_t>(map.input)];
  return inputs;
}

/// The readers of a Parameter that stands for a constant read the constant.
void put_constants(const Node& node, Graph& body, const std::vector<ops::InputMap>& maps) {
  const std::vector<Node> parameters = body.parameters();
  Rewriter inner(body);
  for (const ops::InputMap& map : maps) {
    const auto* const constant = node.input(static_cast<std::size_t>(map.input)).node().as<Const>();
    const Value stands = parameters[static_cast<std::size_t>(map.parameter)].output();
    if (constant && !stands.disconnected()) inner.replace_uses(stands, inner.constant(constant->value));
  }
}

}  // namespace

Node without_unread_inputs(const Node& node, Rewriter& rw) {
  auto* const conditional = node.as<ops::If>();
  if (!conditional || (!has_unread(conditional->then_body.graph()) && !has_unread(conditional->else_body.graph())))
    return node;
  const std::size_t outputs = node.out_port_count();
  Op taken = node.take_op();
  ops::If op = std::move(*static_cast<ops::If*>(taken.payload()));
  drop_unread(op.then_body.graph(), op.then_input_map);
  drop_unread(op.else_body.graph(), op.else_input_map);
  const std::vector<Value> inputs = read_inputs(node, op);
  return rw.create_node(std::move(op), inputs, outputs);
}

Node with_constants_in_branches(const Node& node, Rewriter& rw) {
  auto* const conditional = node.as<ops::If>();
  if (!conditional) return node;
  put_constants(node, conditional->then_body.graph(), conditional->then_input_map);
  put_constants(node, conditional->else_body.graph(), conditional->else_input_map);
  const Node made = without_unread_inputs(node, rw);
  if (made == node) return node;
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  rw.replace(node, outputs);
  return made;
}

}  // namespace mo::transformations
