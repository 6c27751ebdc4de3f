#include "ops/build/scan.hpp"

#include <limits>

#include "frontends/onnx/ops/support/bodies.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/pad.hpp"
#include "ops/slice.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// `skipped`: own inputs that are neither states nor sequences.
Expected<ScanPlan> scan_plan(const FrameworkNode& node, Body body, const BodyInputs& inputs, std::size_t skipped) {
  ScanPlan plan;
  plan.body = std::move(body);
  plan.captures = inputs.captures.names;
  const auto scans = node.required<std::int64_t>("num_scan_inputs");
  if (node.failure()) return *node.failure();
  const auto own = static_cast<std::int64_t>(inputs.own.size()) - static_cast<std::int64_t>(skipped);
  if (scans < 1 || scans > own)
    return node.error("MO-ONNX-0221", "num_scan_inputs is {} of {} inputs", scans, own)
        .hint("Scan needs a sequence to iterate over");
  plan.scans = static_cast<std::size_t>(scans);
  plan.states = static_cast<std::size_t>(own - scans);
  return plan;
}

/// Inputs: states, sequences, captured tensors.
Replacement scan(const FrameworkNode& node, Rewriter& rw) {
  Body body = node.take_body("body");
  MO_ASSIGN(const BodyInputs inputs, body_inputs(node, {&body.graph()}));
  MO_ASSIGN(ScanPlan plan, scan_plan(node, std::move(body), inputs, 0));
  plan.input_axes = node.attr("scan_input_axes", Integers{});
  plan.input_directions = node.attr("scan_input_directions", Integers{});
  plan.output_axes = node.attr("scan_output_axes", Integers{});
  plan.output_directions = node.attr("scan_output_directions", Integers{});
  MO_ASSIGN(const Node made, make_scan(rw, node.node(), std::move(plan), inputs.all(), node.output_count()));
  return outputs_of(made);
}

/// `x` with zeros appended to its `done` elements until dimension 0 has `length`.
Value filled_up(Rewriter& rw, const Value& x, const Value& done, const Value& length) {
  const Value shape = shape_of(rw, x);
  const Value nothing = rw.create(ops::Subtract{}, shape, shape);
  const Value behind = join(rw, {rw.create(ops::Subtract{}, length, done),
                                 slice_along(rw, nothing, 0, 1, std::numeric_limits<std::int64_t>::max())});
  return rw.create(ops::v1::Pad{}, x, nothing, behind, number_like(rw, x, 0));
}

/// Scan-8 -> an iteration over the batch whose body is a Scan. Inputs: lengths of the sequences (or nothing), states,
/// sequences, captured tensors. With lengths, each Scan goes along the first elements only, and zeros fill its results
/// up.
Replacement batched_scan(const FrameworkNode& node, Rewriter& rw) {
  Body body = node.take_body("body");
  MO_ASSIGN(const BodyInputs given, body_inputs(node, {&body.graph()}, 1));
  MO_ASSIGN(ScanPlan plan, scan_plan(node, std::move(body), given, 1));
  plan.input_directions = node.attr("directions", Integers{});
  const std::size_t own = plan.states + plan.scans;
  const std::size_t states = plan.states;
  std::vector<Value> inputs = given.all();
  inputs.erase(inputs.begin());
  ops::TensorIterator outer;
  Graph& graph = outer.body.graph();
  Rewriter inner(graph);
  const auto add_parameter = [&](std::size_t i, bool sliced, const std::string& name) {
    ops::InputMap map = whole_input(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
    TensorType type = type_of(inputs[i]);
    if (sliced) {
      map.axis = 0;
      if (type.rank().value_or(0) > 0) type.shape[0] = Dimension(1);
    }
    outer.input_map.push_back(map);
    return graph.create_parameter(type, name).output();
  };
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value parameter =
        add_parameter(i, i < own, i < own ? fmt::format("element_{}", i) : given.captures.names[i - own]);
    arguments.push_back(i < own ? without_axis(inner, parameter, 0) : parameter);
  }
  Value done;  // how many elements of this sequence count
  Value length;
  if (node.has_input(0)) {
    inputs.push_back(node.input(0));
    done = as_i64(inner, add_parameter(inputs.size() - 1, true, "length"));
    length = length_along(inner, arguments[states], 0);
    for (std::size_t i = states; i < own; ++i)
      arguments[i] =
          inner.create(ops::Slice{}, arguments[i], inner.integers({0}), done, inner.integers({1}), inner.integers({0}));
  }
  MO_ASSIGN(const Node made, make_scan(inner, node.node(), std::move(plan), arguments, node.output_count()));
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const Value result = done && i >= states ? filled_up(inner, made.output(i), done, length) : made.output(i);
    graph.create_result(inner.create(ops::Unsqueeze{}, result, inner.integers({0})));
    outer.output_map.push_back(last_output(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)));
    outer.output_map.back().axis = 0;
  }
  if (inner.error()) return *inner.error();
  return outputs_of(rw.create_node(std::move(outer), inputs, node.output_count()));
}

}  // namespace

void register_scan(OperatorTable& table) {
  // ONNX Scan-8 runs a scan for each element of a batch and takes lengths as input 0.
  table.translate("Scan", versions(8, 8), batched_scan);
  table.translate("Scan", versions(9, 10), scan);
  table.translate("Scan", since(11), scan);
}

}  // namespace mo::onnx
