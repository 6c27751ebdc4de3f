#include <algorithm>
#include <limits>

#include "extensions/support/front_shapes.hpp"
#include "ops/build/scan.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/loop.hpp"
#include "ops/pad.hpp"
#include "ops/slice.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;

/// ONNX spells "no limit" as the largest number, the IR as -1.
Value trip_count(Rewriter& rw, const Value& given) {
  if (!given) return rw.scalar<std::int64_t>(-1);
  const auto known = known_integers(given);
  if (known && known->size() == 1 && (known->front() == std::numeric_limits<std::int64_t>::max())) return rw.scalar<std::int64_t>(-1);
  return given;
}

/// Inputs: trip count, condition, carried values, captured tensors. Body: iteration, condition, carried values, captured tensors ->
/// condition, carried values, values that are stacked along a new first axis.
Replacement replace_loop(const Node& node, Rewriter& rw) {
  auto body = node.attr<Body>("body");
  const auto captures = node.attr<Strings>("captures").value_or(Strings{});
  if (!body || captures.size() > node.in_port_count()) return missing_input(node);
  const std::size_t own = node.in_port_count() - captures.size();
  const std::size_t carried = own > 2 ? own - 2 : 0;
  Graph& graph = body->graph();
  const std::size_t results = graph.results().size();
  if (graph.parameters().size() < 2 + carried || results < 1 + carried || node.out_port_count() > results - 1)
    return node
        .error("MO-ONNX-0220", "the body has {} inputs and {} outputs for {} carried values and {} outputs of the node", graph.parameters().size(),
               results, carried, node.out_port_count())
        .hint(
            "a loop's body takes the iteration, the condition and the carried values, and gives the condition, the carried values and what is "
            "stacked");

  std::vector<Value> inputs = {trip_count(rw, own > 0 ? node.input(0) : Value()), own > 1 && node.input(1) ? node.input(1) : rw.scalar(true)};
  for (std::size_t i = std::min<std::size_t>(own, 2); i < node.in_port_count(); ++i) {
    if (!node.input(i)) return missing_input(node);
    inputs.push_back(node.input(i));
  }
  ops::Loop loop;
  loop.body = *std::move(body);
  loop.input_map = {whole_input(-1, 0), whole_input(1, 1)};
  loop.output_map = {last_output(-1, 0)};
  loop.back_edges = {{.result = 0, .parameter = 1}};
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(carried); ++i) {
    loop.input_map.push_back(whole_input(2 + i, 2 + i));
    loop.back_edges.push_back({.result = 1 + i, .parameter = 2 + i});
  }
  auto captured = map_captures(node, loop.body.graph(), 2 + carried, captures, 2 + static_cast<std::int64_t>(carried));
  if (!captured) return std::move(captured).error();
  loop.input_map.insert(loop.input_map.end(), captured->begin(), captured->end());
  Rewriter inner(loop.body.graph());
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    ops::OutputMap map = last_output(static_cast<std::int64_t>(i), 1 + static_cast<std::int64_t>(i));
    if (i >= carried) {
      map.axis = 0;
      const Node result = loop.body.graph().results()[i + 1];
      inner.set_input(result, 0, inner.create(ops::Unsqueeze{}, result.input(0), inner.integers({0})));
    }
    loop.output_map.push_back(map);
  }
  if (inner.error()) return *inner.error();
  const Node made = rw.create_node(std::move(loop), inputs, node.out_port_count());
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(made.output(i));
  return outputs;
}

Expected<ScanPlan> plan_of(const Node& node, std::size_t own) {
  ScanPlan plan;
  auto body = node.attr<Body>("body");
  if (!body) return missing_input(node);
  plan.body = *std::move(body);
  plan.captures = node.attr<Strings>("captures").value_or(Strings{});
  plan.scans = static_cast<std::size_t>(node.attr<std::int64_t>("num_scan_inputs").value_or(0));
  if (plan.scans < 1 || plan.scans > own)
    return node.error("MO-ONNX-0221", "num_scan_inputs is {} of {} inputs", plan.scans, own).hint("Scan needs a sequence to go along");
  plan.states = own - plan.scans;
  plan.input_axes = node.attr<Integers>("scan_input_axes").value_or(Integers{});
  plan.input_directions = node.attr<Integers>("scan_input_directions").value_or(Integers{});
  plan.output_axes = node.attr<Integers>("scan_output_axes").value_or(Integers{});
  plan.output_directions = node.attr<Integers>("scan_output_directions").value_or(Integers{});
  return plan;
}

/// The inputs of `node` from `first` on; an error when one is not connected.
Expected<std::vector<Value>> all_inputs(const Node& node, std::size_t first) {
  std::vector<Value> inputs;
  for (std::size_t i = first; i < node.in_port_count(); ++i) {
    if (!node.input(i)) return missing_input(node);
    inputs.push_back(node.input(i));
  }
  return inputs;
}

Outputs outputs_of(const Node& made, std::size_t count) {
  Outputs outputs;
  for (std::size_t i = 0; i < count; ++i) outputs.push_back(made.output(i));
  return outputs;
}

/// Inputs: states, sequences, captured tensors.
Replacement replace_scan(const Node& node, Rewriter& rw) {
  auto inputs = all_inputs(node, 0);
  if (!inputs) return std::move(inputs).error();
  const std::size_t captured = node.attr<Strings>("captures").value_or(Strings{}).size();
  auto plan = plan_of(node, inputs->size() - std::min(captured, inputs->size()));
  if (!plan) return std::move(plan).error();
  auto made = make_scan(rw, node, *std::move(plan), *inputs, node.out_port_count());
  if (!made) return std::move(made).error();
  return outputs_of(*made, node.out_port_count());
}

/// `x` with zeros behind it until dimension 0 has `length` elements, of which `done` are there.
Value filled_up(Rewriter& rw, const Value& x, const Value& done, const Value& length) {
  const Value shape = shape_of(rw, x);
  const Value nothing = rw.create(ops::Subtract{}, shape, shape);
  const Value behind = join(rw, {rw.create(ops::Subtract{}, length, done), slice_along(rw, nothing, 0, 1, std::numeric_limits<std::int64_t>::max())});
  return rw.create(ops::v1::Pad{}, x, nothing, behind, number_like(rw, x, 0));
}

/// Scan-8 -> an iteration over the batch whose body is a Scan. Inputs: lengths of the sequences (or nothing), states, sequences, captured tensors.
/// With lengths, each Scan goes along the first elements only, and zeros fill its results up.
Replacement replace_batched_scan(const Node& node, Rewriter& rw) {
  auto inputs = all_inputs(node, 1);
  if (!inputs) return std::move(inputs).error();
  const auto captures = node.attr<Strings>("captures").value_or(Strings{});
  auto plan = plan_of(node, inputs->size() - std::min(captures.size(), inputs->size()));
  if (!plan) return std::move(plan).error();
  const std::size_t own = plan->states + plan->scans;
  const std::size_t states = plan->states;
  ops::TensorIterator outer;
  Graph& graph = outer.body.graph();
  Rewriter inner(graph);
  const auto add_parameter = [&](std::size_t i, bool sliced, const std::string& name) {
    ops::InputMap map = whole_input(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
    TensorType type = known_type((*inputs)[i]);
    if (sliced) {
      map.axis = 0;
      if (type.rank().value_or(0) > 0) type.shape[0] = Dimension(1);
    }
    outer.input_map.push_back(map);
    return graph.create_parameter(type, name).output();
  };
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    const Value parameter = add_parameter(i, i < own, i < own ? fmt::format("element_{}", i) : captures[i - own]);
    arguments.push_back(i < own ? without_axis(inner, parameter, 0) : parameter);
  }
  Value done;  // how many elements of this sequence count
  Value length;
  if (node.input(0)) {
    inputs->push_back(node.input(0));
    done = as_i64(inner, add_parameter(inputs->size() - 1, true, "length"));
    length = length_along(inner, arguments[states], 0);
    for (std::size_t i = states; i < own; ++i)
      arguments[i] = inner.create(ops::Slice{}, arguments[i], inner.integers({0}), done, inner.integers({1}), inner.integers({0}));
  }
  auto scan = make_scan(inner, node, *std::move(plan), arguments, node.out_port_count());
  if (!scan) return std::move(scan).error();
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    const Value result = done && i >= states ? filled_up(inner, scan->output(i), done, length) : scan->output(i);
    graph.create_result(inner.create(ops::Unsqueeze{}, result, inner.integers({0})));
    outer.output_map.push_back(last_output(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)));
    outer.output_map.back().axis = 0;
  }
  if (inner.error()) return *inner.error();
  return outputs_of(rw.create_node(std::move(outer), *inputs, node.out_port_count()), node.out_port_count());
}

}  // namespace

void register_control_flow(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxLoop").replace_op(replace_loop));
  passes.add(front_replacement_op("OnnxScan").replace_op(replace_scan));
  passes.add(front_replacement_op("OnnxBatchedScan").replace_op(replace_batched_scan));
}

}  // namespace mo::front::onnx
