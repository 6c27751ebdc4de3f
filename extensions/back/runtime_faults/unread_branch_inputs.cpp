#include <algorithm>

#include "extensions/back/support/runtime_fault.hpp"
#include "ops/if.hpp"

namespace mo::back {
namespace {

bool is_unread(const Graph& body) {
  const std::vector<Node> parameters = body.parameters();
  return std::any_of(parameters.begin(), parameters.end(), [](const Node& parameter) { return parameter.output().disconnected(); });
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

Replacement without_unread(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  auto* const conditional = node.as<ops::If>();
  if (!conditional) return Replacement::declined();
  if (!is_unread(conditional->then_body.graph()) && !is_unread(conditional->else_body.graph()))
    return declined("each branch reads all that it takes");
  const std::size_t outputs = node.out_port_count();
  Op taken = node.take_op();
  ops::If op = std::move(*static_cast<ops::If*>(taken.payload()));
  drop_unread(op.then_body.graph(), op.then_input_map);
  drop_unread(op.else_body.graph(), op.else_input_map);
  const std::vector<Value> inputs = read_inputs(node, op);
  return rw.create_node(std::move(op), inputs, outputs).out_ports();
}

}  // namespace

void register_unread_branch_inputs(PassRegistry& passes) {
  passes.add(avoid_fault("UnreadBranchInputs", {.form = "If with a branch that takes an input and does not read it",
                                                .symptom = "the input is removed from the If, and the condition is lost when it is that input",
                                                .first = "2022.1",
                                                .last = "latest",
                                                .replacement = "If without the Parameter"})
                 .add(RewriteRule("ReadInputs", {"If"}, std::nullopt, without_unread)));
}

}  // namespace mo::back
