#include "transformations/control_flow/support/unrolling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ops/concat.hpp"
#include "transformations/control_flow/support/iterations.hpp"

namespace mo::transformations {
namespace {

/// `<loop>/<iteration, from 1>/<node of the body>`. Several copies of a body must not claim its tensor names.
void name_iteration(Graph& graph, std::uint32_t first_new, const Node& loop, std::int64_t iteration) {
  for (std::uint32_t i = first_new; i < graph.node_capacity(); ++i) {
    const Node made = graph.node(NodeId{i});
    if (!made.alive() || made.is<Result>()) continue;
    if (!made.name().empty()) made.set_name(fmt::format("{}/{}/{}", loop.name(), iteration + 1, made.name()));
    for (const Value& output : made.out_ports()) output.data().clear_tensor_names();
  }
}

/// The values of the body's Parameters in each iteration, except those from the iteration before; nothing when one of
/// them is unknown.
std::optional<std::vector<std::vector<Value>>> first_arguments(Rewriter& rw, const Node& node, const LoopParts& parts,
                                                               std::int64_t count) {
  const std::vector<Node> parameters = parts.body->parameters();
  std::vector<std::vector<Value>> arguments(static_cast<std::size_t>(count), std::vector<Value>(parameters.size()));
  for (const ops::InputMap& map : *parts.inputs) {
    const auto place = static_cast<std::size_t>(map.parameter);
    std::vector<Value> slices;
    if (map.input >= 0 && map.axis) slices = slices_of(rw, node.input(static_cast<std::size_t>(map.input)), map, count);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      arguments[i][place] = map.input < 0 ? iteration_number(rw, parameters[place], static_cast<std::int64_t>(i))
                            : map.axis    ? slices[i]
                                          : node.input(static_cast<std::size_t>(map.input));
  }
  const auto is_missing = [](const Value& v) { return !v; };
  for (const auto& iteration : arguments)
    if (std::any_of(iteration.begin(), iteration.end(), is_missing)) return std::nullopt;
  return arguments;
}

/// A loop that never runs hands on the first values.
Replacement first_values(const Node& node, const LoopParts& parts) {
  Outputs outputs(node.out_port_count());
  for (const ops::OutputMap& map : *parts.outputs) {
    if (map.output < 0) continue;
    if (map.axis) return declined("it never runs, but collects results of its iterations");
    for (const ops::BackEdge& edge : *parts.back_edges)
      for (const ops::InputMap& input : *parts.inputs)
        if (edge.result == map.result && input.parameter == edge.parameter && input.input >= 0)
          outputs[static_cast<std::size_t>(map.output)] = node.input(static_cast<std::size_t>(input.input));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i] && !node.out_port(i).disconnected())
      return declined("it never runs, and an output has no first value");
  return outputs;
}

}  // namespace

Replacement unroll(const Node& node, Rewriter& rw) {
  const auto parts = loop_parts(node);
  const auto count = parts ? iteration_count(node, *parts) : std::nullopt;
  if (!count) return declined("the number of iterations is unknown");
  if (*count == 0) return first_values(node, *parts);
  auto arguments = first_arguments(rw, node, *parts, *count);
  if (!arguments) return declined("the inputs of the body cannot be inferred");

  std::vector<std::vector<Value>> results;
  for (std::int64_t i = 0; i < *count; ++i) {
    std::vector<Value>& own = (*arguments)[static_cast<std::size_t>(i)];
    if (i > 0)
      for (const ops::BackEdge& edge : *parts->back_edges)
        own[static_cast<std::size_t>(edge.parameter)] = results.back()[static_cast<std::size_t>(edge.result)];
    const std::uint32_t first_new = rw.graph().node_capacity();
    auto made = rw.inline_body(*parts->body, own);
    if (!made) return std::move(made).error();
    name_iteration(rw.graph(), first_new, node, i);
    results.push_back(*std::move(made));
  }

  Outputs outputs(node.out_port_count());
  for (const ops::OutputMap& map : *parts->outputs) {
    if (map.output < 0) continue;
    const auto result = static_cast<std::size_t>(map.result);
    Value& output = outputs[static_cast<std::size_t>(map.output)];
    output = results.back()[result];
    if (!map.axis || *count == 1) continue;
    std::vector<Value> all;
    for (const auto& iteration : results) all.push_back(iteration[result]);
    if (map.stride < 0) std::reverse(all.begin(), all.end());
    output = rw.create(ops::Concat{.axis = *map.axis}, all);
  }
  return outputs;
}

}  // namespace mo::transformations
