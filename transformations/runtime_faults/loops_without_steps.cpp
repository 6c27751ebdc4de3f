#include <algorithm>
#include <map>

#include "core/graph/values.hpp"
#include "ops/comparison.hpp"
#include "ops/logical.hpp"
#include "ops/loop.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Whether the loop takes a step, as a scalar; empty when it certainly does, or certainly does not.
Value takes_step(const Node& loop, Rewriter& rw) {
  const Value trips = loop.input(0);
  const Value condition = loop.input(1);
  Value made;
  if (!single_integer_of(trips)) made = rw.create(ops::NotEqual{}, trips, rw.scalar_like(trips, 0));
  if (!single_integer_of(condition)) made = made ? rw.create(ops::LogicalAnd{}, made, condition) : condition;
  if (made && made.type().rank() != 0) made = rw.create(ops::Reshape{.special_zero = false}, made, rw.integers({}));
  return made;
}

/// By output: the first value of the state that it is the last value of, when both certainly have one shape.
std::map<std::size_t, Value> first_values(const Node& loop, const LoopParts& parts) {
  const std::vector<LoopArgument> arguments = loop_arguments(parts);
  std::map<std::size_t, Value> first;
  for (const ops::OutputMap& output : *parts.outputs) {
    if (output.output < 0 || output.axis) continue;
    const OutPort port = loop.out_port(static_cast<std::size_t>(output.output));
    for (const ops::BackEdge& edge : *parts.back_edges) {
      const LoopArgument& argument = arguments[static_cast<std::size_t>(edge.parameter)];
      if (edge.result != output.result || !argument.is_state() || port.disconnected()) continue;
      const Value value = loop.input(static_cast<std::size_t>(argument.map->input));
      if (port.type().shape.is_static() && port.type() == value.type()) first[port.index()] = value;
    }
  }
  return first;
}

/// loop(…) -> select(takes a step, loop(…), first values).
Replacement keep_first_values(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto parts = loop_parts(node);
  if (!parts || !parts->has_trip_count) return Replacement::declined();
  const std::map<std::size_t, Value> first = first_values(node, *parts);
  if (first.empty()) return declined("no output of static shape is the last value of a state");
  // Selected already.
  const auto is_select = [](const InPort& reader) { return reader.node().is<ops::Select>() && reader.index() == 1; };
  const bool is_done = std::all_of(first.begin(), first.end(), [&](const auto& entry) {
    const auto readers = node.out_port(entry.first).get_destinations();
    return std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      return is_select(reader) && reader.node().input(2) == entry.second;
    });
  });
  if (is_done) return declined("its outputs are selected already");
  const Value condition = takes_step(node, rw);
  if (!condition) return declined("it is known whether it takes a step");
  Outputs outputs = remade(node, rw);
  for (const auto& [i, value] : first) outputs[i] = rw.create(ops::Select{}, condition, outputs[i], value);
  return outputs;
}

}  // namespace

void register_loops_without_steps(PassRegistry& passes) {
  passes.add(avoid_fault(
                 "LoopsWithoutSteps",
                 {.form = "Loop whose trip count or first condition is computed, and may be such that it takes no step",
                  .symptom = "outputs are uninitialized memory instead of the first values of the states",
                  .first = "2021.4",
                  .last = "2025.4",
                  .replacement = "Select(takes a step, output, first value), for states of static shape"})
                 .add(RewriteRule("FirstValues", {"Loop"}, std::nullopt, keep_first_values)));
}

}  // namespace mo::transformations
