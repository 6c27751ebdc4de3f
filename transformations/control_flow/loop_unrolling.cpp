#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/build/conditional.hpp"
#include "ops/gather.hpp"
#include "ops/loop.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

/// The value of a Parameter of the body in the only iteration; empty when it is unknown.
Value first_argument(const Node& node, const ops::InputMap& map, const Node& parameter, Rewriter& rw) {
  if (map.input < 0) {
    const TensorType type = parameter.output_type();
    const auto shape = type.shape.to_shape();
    if (!shape || element_count(*shape) != 1) return {};
    auto number = from_integers(type.element_type, *shape, {0});
    return number ? rw.constant(*std::move(number)) : Value();
  }
  const Value whole = node.input(static_cast<std::size_t>(map.input));
  if (!whole || !map.axis) return whole;
  const auto rank = whole.type().rank();
  const auto axis = rank ? normalize_axis(*map.axis, *rank) : std::nullopt;
  if (!axis || map.part_size != 1) return {};
  const Dimension& size = whole.type().shape[static_cast<std::size_t>(*axis)];
  if (size.is_known() && size.value() == 1) return whole;
  return rw.create(ops::Gather{}, whole, rw.integers({map.start}), rw.scalar<std::int64_t>(*axis));
}

/// Loop that runs once -> its body. Loop that never runs -> the first values.
Replacement unroll_copies(const Node& node, Rewriter& rw) {
  const auto& loop = *node.as<ops::Loop>();
  const auto trips = constant_integer(node.input(0));
  const auto enter = constant_integer(node.input(1));
  const bool never = enter == 0 || trips == 0;
  if (!never && (enter != 1 || trips != 1)) return Replacement::declined();
  Graph& body = loop.body.graph();
  const std::vector<Node> parameters = body.parameters();
  std::vector<Value> results(body.results().size());
  if (never) {
    for (const ops::BackEdge& edge : loop.back_edges)
      for (const ops::InputMap& map : loop.input_map)
        if (map.parameter == edge.parameter && map.input >= 0)
          results[static_cast<std::size_t>(edge.result)] = node.input(static_cast<std::size_t>(map.input));
  } else {
    std::vector<Value> arguments(parameters.size());
    for (const ops::InputMap& map : loop.input_map) {
      const auto i = static_cast<std::size_t>(map.parameter);
      arguments[i] = first_argument(node, map, parameters[i], rw);
    }
    if (std::any_of(arguments.begin(), arguments.end(), [](const Value& v) { return !v; }))
      return Replacement::declined();
    auto made = rw.inline_body(body, arguments);
    if (!made) return std::move(made).error();
    results = *std::move(made);
  }
  Outputs outputs(node.out_port_count());
  for (const ops::OutputMap& map : loop.output_map) {
    if (map.output < 0 || static_cast<std::size_t>(map.output) >= outputs.size()) continue;
    if (never && map.axis) return Replacement::declined();
    outputs[static_cast<std::size_t>(map.output)] = results[static_cast<std::size_t>(map.result)];
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i] && !node.out_port(i).disconnected()) return Replacement::declined();
  return outputs;
}

/// If with a constant condition -> the branch that it takes.
Replacement take_branch(const Node& node, Rewriter& rw) {
  const auto condition = constant_integer(node.input(0));
  if (!condition) return Replacement::declined();
  auto outputs = build::inline_branch(rw, node, *condition != 0);
  return outputs ? Replacement(*std::move(outputs)) : Replacement(std::move(outputs).error());
}

}  // namespace

void register_loop_unrolling(PassRegistry& passes) {
  passes.add(front_replacement_op("Loop")
                 .named("LoopUnrolling")
                 .phase(Phase::middle)
                 .run_after({"ConstantFolding"})
                 .replace_op(unroll_copies));
  passes.add(front_replacement_op("If")
                 .named("KnownConditions")
                 .phase(Phase::middle)
                 .run_after({"ConstantFolding"})
                 .replace_op(take_branch));
}

}  // namespace mo::transformations
