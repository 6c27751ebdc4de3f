#include "transformations/support/loop_parts.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::transformations {
namespace {

template <class T>
LoopParts parts_of(T& op, bool has_trip_count) {
  return {&op.body.graph(), &op.input_map, &op.output_map, &op.back_edges, has_trip_count};
}

bool in_range(std::int64_t place, std::size_t count) { return place >= 0 && static_cast<std::size_t>(place) < count; }

}  // namespace

std::optional<LoopParts> loop_parts(const Node& node) {
  LoopParts parts;
  if (auto* loop = node.as<ops::Loop>())
    parts = parts_of(*loop, true);
  else if (auto* iterator = node.as<ops::TensorIterator>())
    parts = parts_of(*iterator, false);
  else
    return std::nullopt;
  const std::size_t parameters = parts.body->parameters().size();
  const std::size_t results = parts.body->results().size();
  const bool inputs_fit = std::all_of(parts.inputs->begin(), parts.inputs->end(), [&](const ops::InputMap& map) {
    return (map.input == -1 ||
            (in_range(map.input, node.in_port_count()) && node.input(static_cast<std::size_t>(map.input)))) &&
           in_range(map.parameter, parameters);
  });
  const bool outputs_fit = std::all_of(parts.outputs->begin(), parts.outputs->end(), [&](const ops::OutputMap& map) {
    return (map.output == -1 || in_range(map.output, node.out_port_count())) && in_range(map.result, results);
  });
  const bool edges_fit =
      std::all_of(parts.back_edges->begin(), parts.back_edges->end(), [&](const ops::BackEdge& edge) {
        return in_range(edge.result, results) && in_range(edge.parameter, parameters);
      });
  return inputs_fit && outputs_fit && edges_fit ? std::optional(parts) : std::nullopt;
}

std::vector<LoopArgument> loop_arguments(const LoopParts& parts) {
  std::vector<LoopArgument> arguments(parts.body->parameters().size());
  for (const ops::InputMap& map : *parts.inputs) arguments[static_cast<std::size_t>(map.parameter)].map = &map;
  for (const ops::BackEdge& edge : *parts.back_edges)
    arguments[static_cast<std::size_t>(edge.parameter)].back_edge = &edge;
  return arguments;
}

std::optional<std::int64_t> constant_integer(const Value& value) {
  return value && value.node().is<Const>() ? single_integer_of(value) : std::nullopt;
}

}  // namespace mo::transformations
