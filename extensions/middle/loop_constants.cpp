#include <algorithm>

#include "core/execution/fold.hpp"
#include "extensions/middle/support/loop_parts.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::middle {
namespace {

/// Whether the map feeds a constant that is the same in every iteration.
bool is_constant(const Node& node, const LoopArgument& argument) {
  return argument.is_fixed() && node.input(static_cast<std::size_t>(argument.map->input)).node().is<Const>();
}

/// A number of places of which some go away: the new number of each; -1 for those that went.
std::vector<std::int64_t> renumbered(const std::vector<bool>& goes) {
  std::vector<std::int64_t> places;
  std::int64_t next = 0;
  for (const bool gone : goes) places.push_back(gone ? -1 : next++);
  return places;
}

/// The op without what its `constants` map, which move into the body. The inputs that are left go in `inputs`.
template <class T>
T with_constants(const Node& node, const std::vector<bool>& constants, std::vector<Value>& inputs) {
  T op = *node.as<T>();
  Graph& body = op.body.graph();
  const std::vector<Node> parameters = body.parameters();
  std::vector<bool> unread(node.in_port_count(), true);
  // The trip count and the condition of a Loop are inputs without a map.
  if constexpr (std::is_same_v<T, ops::Loop>) unread[0] = unread[1] = false;
  Rewriter inner(body);
  for (const ops::InputMap& map : op.input_map) {
    const auto i = static_cast<std::size_t>(map.parameter);
    if (map.input < 0) continue;
    const auto input = static_cast<std::size_t>(map.input);
    if (!constants[i]) {
      unread[input] = false;
      continue;
    }
    const Value constant = inner.constant(node.input(input).node().template as<Const>()->value);
    if (const Value stands = parameters[i].output(); !stands.disconnected()) inner.replace_uses(stands, constant);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (constants[i]) body.erase(parameters[i]);
  const std::vector<std::int64_t> ports = renumbered(unread);
  const std::vector<std::int64_t> places = renumbered(constants);
  std::erase_if(op.input_map, [&](const ops::InputMap& map) { return places[static_cast<std::size_t>(map.parameter)] < 0; });
  for (ops::InputMap& map : op.input_map) {
    if (map.input >= 0) map.input = ports[static_cast<std::size_t>(map.input)];
    map.parameter = places[static_cast<std::size_t>(map.parameter)];
  }
  for (ops::BackEdge& edge : op.back_edges) edge.parameter = places[static_cast<std::size_t>(edge.parameter)];
  for (std::size_t i = 0; i < unread.size(); ++i)
    if (!unread[i]) inputs.push_back(node.input(i));
  return op;
}

/// The loop with its constants inside; the node itself when there are none.
Node with_constants(const Node& node, Rewriter& rw) {
  const auto parts = loop_parts(node);
  if (!parts) return node;
  const std::vector<LoopArgument> arguments = loop_arguments(*parts);
  std::vector<bool> constants;
  for (const LoopArgument& argument : arguments) constants.push_back(is_constant(node, argument));
  if (std::none_of(constants.begin(), constants.end(), [](bool c) { return c; })) return node;
  std::vector<Value> inputs;
  Op op = parts->has_trip_count ? Op(with_constants<ops::Loop>(node, constants, inputs))
                                : Op(with_constants<ops::TensorIterator>(node, constants, inputs));
  const Node made = rw.create_node(std::move(op), inputs, node.out_port_count());
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  rw.replace(node, outputs);
  return made;
}

/// Computes what depends on constants alone: slices of weights.
Expected<bool> fold(Graph& body) {
  Rewriter rw(body);
  MO_ASSIGN(const std::vector<Node> order, body.topological_order());
  for (const Node& node : order) {
    if (!node.alive() || !can_fold(node) || !has_constant_inputs(node)) continue;
    std::vector<Tensor> tensors;
    for (const OutPort& port : node.out_ports()) {
      if (port.disconnected()) {
        tensors.emplace_back();
        continue;
      }
      auto tensor = fold_output(node, port.index());
      if (!tensor) return node.describe(std::move(tensor).error());
      if (tensor->empty()) break;  // better left to the runtime
      tensors.push_back(*std::move(tensor));
    }
    if (tensors.size() < node.out_port_count()) continue;
    Outputs constants;
    for (Tensor& tensor : tensors) constants.push_back(tensor.empty() ? Value() : rw.constant(std::move(tensor)));
    rw.replace(node, constants);
    if (rw.error()) return *rw.error();
  }
  return rw.has_changed();
}

/// From the outside in, so that a constant gets through several loops.
Expected<bool> move_constants(Graph& graph) {
  bool changed = false;
  std::vector<Graph*> open = {&graph};
  while (!open.empty()) {
    Graph& next = *open.back();
    open.pop_back();
    std::vector<Node> owners;
    for (const Node node : next.nodes())
      if (node.op_type().traits.owns_bodies) owners.push_back(node);
    Rewriter rw(next);
    for (const Node& owner : owners) {
      const Node made = with_constants(owner, rw);
      for (Graph* body : made.bodies()) {
        MO_ASSIGN(const bool folded, fold(*body));
        changed = changed || folded;
        open.push_back(body);
      }
    }
    if (rw.error()) return *rw.error();
    changed = changed || rw.has_changed();
  }
  return changed;
}

}  // namespace

/// Constants that a Loop or a TensorIterator takes as inputs move into its body, where patterns see them; the bytes are shared. What bodies
/// compute of constants alone is computed.
void register_loop_constants(PassRegistry& passes) {
  passes.add(graph_pass("LoopConstants")
                 .only_top_level()
                 .run_after({"CommonSubexpressions", "LayoutChange"})
                 .run_before({"LinearNormalization", "TransposeFusion", "SlicesToSplit"})
                 .when([](const Graph& graph, const PassContext&) { return !graph.body_owners().empty(); })
                 .run([](Graph& graph, PassContext&) { return move_constants(graph); }));
}

}  // namespace mo::middle
