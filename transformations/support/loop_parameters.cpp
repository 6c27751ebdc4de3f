#include "transformations/support/loop_parameters.hpp"

#include <algorithm>

#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// A number of places of which some go away: the new number of each; -1 for those that went.
std::vector<std::int64_t> renumbered(const std::vector<bool>& goes) {
  std::vector<std::int64_t> places;
  std::int64_t next = 0;
  for (const bool gone : goes) places.push_back(gone ? -1 : next++);
  return places;
}

/// Results that neither an output of the op nor a back edge reads go.
template <class T>
void drop_unread_results(T& op) {
  const std::vector<Node> results = op.body.graph().results();
  std::vector<bool> unread(results.size(), true);
  for (const ops::OutputMap& map : op.output_map) unread[static_cast<std::size_t>(map.result)] = false;
  for (const ops::BackEdge& edge : op.back_edges) unread[static_cast<std::size_t>(edge.result)] = false;
  const std::vector<std::int64_t> places = renumbered(unread);
  for (ops::OutputMap& map : op.output_map) map.result = places[static_cast<std::size_t>(map.result)];
  for (ops::BackEdge& edge : op.back_edges) edge.result = places[static_cast<std::size_t>(edge.result)];
  for (std::size_t i = 0; i < results.size(); ++i)
    if (unread[i]) op.body.graph().erase(results[i]);
}

/// The op, taken from the node, without `gone`. The inputs that are left go in `inputs`.
template <class T>
T take_without(const Node& node, const std::vector<bool>& gone, std::vector<Value>& inputs) {
  Op taken = node.take_op();
  T op = std::move(*static_cast<T*>(taken.payload()));
  const std::vector<Node> parameters = op.body.graph().parameters();
  const std::vector<std::int64_t> places = renumbered(gone);
  std::erase_if(op.input_map,
                [&](const ops::InputMap& map) { return places[static_cast<std::size_t>(map.parameter)] < 0; });
  std::erase_if(op.back_edges,
                [&](const ops::BackEdge& edge) { return places[static_cast<std::size_t>(edge.parameter)] < 0; });
  drop_unread_results(op);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (gone[i]) op.body.graph().erase(parameters[i]);
  std::vector<bool> unread(node.in_port_count(), true);
  // The trip count and the condition of a Loop are inputs without a map.
  if constexpr (std::is_same_v<T, ops::Loop>) unread[0] = unread[1] = false;
  for (const ops::InputMap& map : op.input_map)
    if (map.input >= 0) unread[static_cast<std::size_t>(map.input)] = false;
  const std::vector<std::int64_t> ports = renumbered(unread);
  for (ops::InputMap& map : op.input_map) {
    if (map.input >= 0) map.input = ports[static_cast<std::size_t>(map.input)];
    map.parameter = places[static_cast<std::size_t>(map.parameter)];
  }
  for (ops::BackEdge& edge : op.back_edges) edge.parameter = places[static_cast<std::size_t>(edge.parameter)];
  for (std::size_t i = 0; i < unread.size(); ++i)
    if (!unread[i]) inputs.push_back(node.input(i));
  return op;
}

}  // namespace

void keep_step_count(const Node& node, std::vector<bool>& gone) {
  const auto parts = loop_parts(node);
  if (!parts || parts->has_trip_count) return;
  const std::vector<LoopArgument> arguments = loop_arguments(*parts);
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (!arguments[i].map || !arguments[i].map->axis) continue;
    if (!gone[i]) return;
    if (!first) first = i;
  }
  if (first) gone[*first] = false;
}

Node without_parameters(const Node& node, Rewriter& rw, const std::vector<bool>& gone) {
  const auto parts = loop_parts(node);
  if (!parts || std::none_of(gone.begin(), gone.end(), [](bool g) { return g; })) return node;
  std::vector<Value> inputs;
  Op op = parts->has_trip_count ? Op(take_without<ops::Loop>(node, gone, inputs))
                                : Op(take_without<ops::TensorIterator>(node, gone, inputs));
  const Node made = rw.create_node(std::move(op), inputs, node.out_port_count());
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  rw.replace(node, outputs);
  return made;
}

}  // namespace mo::transformations
