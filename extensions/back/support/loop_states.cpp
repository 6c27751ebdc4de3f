#include "extensions/back/support/loop_states.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ops/assign.hpp"
#include "ops/loop.hpp"
#include "ops/read_value.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::back {
namespace {

/// The input port whose tensor is the first value of a Parameter and of nothing else.
template <class T>
std::size_t own_input(const Node& node, T& op, ops::InputMap& map) {
  const auto port = static_cast<std::size_t>(map.input);
  const auto readers = std::count_if(op.input_map.begin(), op.input_map.end(), [&](const ops::InputMap& other) { return other.input == map.input; });
  if (readers == 1) return port;
  map.input = static_cast<std::int64_t>(node.in_port_count());
  return node.in_port_count();
}

/// The output that gives what a Result of the body had in the last iteration; a new one when there is none.
template <class T>
std::size_t last_value(const Node& node, T& op, std::int64_t result) {
  for (const ops::OutputMap& map : op.output_map)
    if (map.result == result && !map.axis && map.output >= 0) return static_cast<std::size_t>(map.output);
  const std::size_t port = node.out_port_count();
  op.output_map.push_back({.output = static_cast<std::int64_t>(port), .result = result});
  node.add_output_port(port);
  return port;
}

/// What the body hands on from one iteration to the next becomes a variable: read before the node, kept behind it.
template <class T>
bool keep_state(Rewriter& rw, const Node& node, const FirstState& first_state) {
  T& op = *node.as<T>();
  bool changed = false;
  for (std::size_t i = 0; i < op.back_edges.size(); ++i) {
    const ops::BackEdge edge = op.back_edges[i];
    const auto map = std::find_if(op.input_map.begin(), op.input_map.end(), [&](const ops::InputMap& m) { return m.parameter == edge.parameter; });
    if (map == op.input_map.end() || map->axis || map->input < 0) continue;
    const Value first = node.input(static_cast<std::size_t>(map->input));
    if (!first || first.node().is<ops::ReadValue>()) continue;  // done already
    const Node parameter = op.body.graph().parameters()[static_cast<std::size_t>(edge.parameter)];
    const std::string variable = fmt::format("{}/{}/variable_{}", node.name(), parameter.name(), i);
    const Value read = rw.create(ops::ReadValue{.variable_id = variable}, first_state(rw, first));
    const std::size_t port = own_input(node, op, *map);
    const std::size_t last = last_value(node, op, edge.result);
    rw.set_input(node, port, read);
    rw.create(ops::Assign{.variable_id = variable}, node.out_port(last));
    changed = true;
  }
  return changed;
}

}  // namespace

Expected<bool> keep_loop_states(Graph& graph, const PassContext& context, const FirstState& first_state) {
  std::vector<Node> loops;
  for (const Node node : graph.nodes())
    if ((node.is<ops::TensorIterator>() || node.is<ops::Loop>()) && !context.skips(node)) loops.push_back(node);
  Rewriter rw(graph);
  bool changed = false;
  for (const Node& node : loops) {
    const bool kept = node.is<ops::Loop>() ? keep_state<ops::Loop>(rw, node, first_state) : keep_state<ops::TensorIterator>(rw, node, first_state);
    changed = changed || kept;
  }
  if (rw.error()) return Error(*rw.error());
  return changed;
}

}  // namespace mo::back
