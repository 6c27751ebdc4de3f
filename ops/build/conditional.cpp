#include "ops/build/conditional.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/if.hpp"

namespace mo::build {
namespace {

bool in_range(std::int64_t place, std::size_t count) { return place >= 0 && static_cast<std::size_t>(place) < count; }

/// The port maps name ports, Parameters and Results that are there.
bool fits(const Graph& body, const std::vector<ops::InputMap>& inputs, const std::vector<ops::OutputMap>& outputs,
          std::size_t input_count) {
  const std::size_t parameters = body.parameters().size();
  const std::size_t results = body.results().size();
  return inputs.size() == parameters &&
         std::all_of(inputs.begin(), inputs.end(),
                     [&](const ops::InputMap& map) {
                       return in_range(map.input, input_count) && in_range(map.parameter, parameters);
                     }) &&
         std::all_of(outputs.begin(), outputs.end(),
                     [&](const ops::OutputMap& map) { return map.output >= 0 && in_range(map.result, results); });
}

}  // namespace

std::optional<bool> known_condition(const Node& node) {
  const auto* op = node.as<ops::If>();
  if (!op || type_of(node.input(0)).element_type != ElementType::boolean) return std::nullopt;
  const auto condition = single_integer_of(node.input(0));
  if (!condition) return std::nullopt;
  const bool holds = *condition != 0;
  const std::size_t inputs = node.in_port_count();
  if (!(holds ? fits(op->then_body.graph(), op->then_input_map, op->then_output_map, inputs)
              : fits(op->else_body.graph(), op->else_input_map, op->else_output_map, inputs)))
    return std::nullopt;
  return holds;
}

Expected<Outputs> inline_branch(Rewriter& rw, const ops::If& conditional, const std::vector<Value>& inputs,
                                std::size_t output_count, bool condition, BodyFate fate) {
  Graph& body = (condition ? conditional.then_body : conditional.else_body).graph();
  std::vector<Value> arguments(body.parameters().size());
  for (const ops::InputMap& map : condition ? conditional.then_input_map : conditional.else_input_map)
    arguments[static_cast<std::size_t>(map.parameter)] = inputs[static_cast<std::size_t>(map.input)];
  MO_ASSIGN(const std::vector<Value> results, rw.inline_body(body, arguments, fate));
  Outputs outputs(output_count);
  for (const ops::OutputMap& map : condition ? conditional.then_output_map : conditional.else_output_map)
    if (static_cast<std::size_t>(map.output) < output_count)
      outputs[static_cast<std::size_t>(map.output)] = results[static_cast<std::size_t>(map.result)];
  return outputs;
}

Expected<Outputs> inline_branch(Rewriter& rw, const Node& node, bool condition, BodyFate fate) {
  std::vector<Value> inputs;
  for (const InPort& port : node.in_ports()) inputs.push_back(port.get_source());
  return inline_branch(rw, *node.as<ops::If>(), inputs, node.out_port_count(), condition, fate);
}

}  // namespace mo::build
