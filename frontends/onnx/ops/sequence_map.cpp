#include <algorithm>
#include <map>

#include "frontends/onnx/ops/support/bodies.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/scan.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// SequenceMap over the slices of tensors, however many there are -> Scan over these tensors. A slice that keeps its
/// axis gets it back in the body; what is the same in each iteration is captured.
Replacement map_slices(const FrameworkNode& node, Rewriter& rw, Body body, const BodyInputs& given) {
  ScanPlan plan;
  plan.body = std::move(body);
  Graph& graph = plan.body.graph();
  const std::vector<Node> parameters = graph.parameters();
  const std::size_t own = given.own.size();
  Rewriter inner(graph);
  std::vector<Value> inputs;
  std::vector<Value> captured;
  std::vector<Node> order;
  std::vector<Node> fixed;
  for (std::size_t i = 0; i < own; ++i) {
    const Value input = without_identity(given.own[i]);
    if (!input) return unknown_pieces(node);
    if (!is_slices(input)) {
      captured.push_back(input);
      plan.captures.emplace_back(parameters[i].name());
      fixed.push_back(parameters[i]);
      continue;
    }
    inputs.push_back(input.node().input(0));
    order.push_back(parameters[i]);
    plan.input_axes.push_back(split_axis(input.node()));
    if (!keeps_split_axis(input.node())) continue;
    const std::vector<InPort> slice_readers = parameters[i].output().get_destinations();
    parameters[i].as<Parameter>()->shape = PartialShape::unknown_rank();
    const Value kept = inner.create(ops::Unsqueeze{}, parameters[i].output(), inner.integers({plan.input_axes.back()}));
    for (const InPort& reader : slice_readers) inner.set_input(reader.node(), reader.index(), kept);
  }
  plan.scans = inputs.size();
  plan.captures.insert(plan.captures.end(), given.captures.names.begin(), given.captures.names.end());
  captured.insert(captured.end(), given.captures.values.begin(), given.captures.values.end());
  order.insert(order.end(), fixed.begin(), fixed.end());
  order.insert(order.end(), parameters.begin() + static_cast<std::ptrdiff_t>(own), parameters.end());
  graph.reorder_parameters(order);
  if (inner.error()) return *inner.error();
  inputs.insert(inputs.end(), captured.begin(), captured.end());
  MO_ASSIGN(const Node made, make_scan(rw, node.node(), std::move(plan), inputs, node.output_count()));
  Outputs sequences;
  for (const Value& stacked : outputs_of(made)) sequences.push_back(slices_of(rw, stacked));
  return sequences;
}

/// SequenceMap over known tensors -> copies of the body.
Replacement map_elements(const FrameworkNode& node, Rewriter& rw, const Body& body, const BodyInputs& given,
                         std::size_t times) {
  const std::vector<Node> parameters = body.graph().parameters();
  const std::size_t own = given.own.size();
  std::map<std::string_view, Value> captured;
  for (std::size_t i = 0; i < given.captures.names.size(); ++i)
    captured.emplace(given.captures.names[i], given.captures.values[i]);
  std::vector<std::vector<Value>> results(node.output_count());
  for (std::size_t e = 0; e < times; ++e) {
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < own; ++i) {
      const auto others = elements_of(given.own[i]);
      if (others && others->size() != times) return unknown_pieces(node);
      arguments.push_back(others ? (*others)[e] : given.own[i]);
    }
    for (std::size_t i = own; i < parameters.size(); ++i) {
      const auto found = captured.find(parameters[i].name());
      if (found == captured.end()) return unknown_pieces(node);
      arguments.push_back(found->second);
    }
    MO_ASSIGN(const std::vector<Value> made, rw.inline_body(body.graph(), arguments));
    for (std::size_t i = 0; i < results.size(); ++i) results[i].push_back(made[i]);
  }
  Outputs sequences;
  for (const auto& parts : results) sequences.push_back(sequence_of(rw, parts));
  return sequences;
}

/// ONNX SequenceMap-17: the body for each element of the first sequence; other sequences are as long, tensors are the
/// same each time. A sequence of known tensors becomes copies of the body, one of slices a Scan.
Replacement sequence_map(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  Body body = node.take_body("body");
  if (node.failure()) return *node.failure();
  MO_ASSIGN(const BodyInputs given, body_inputs(node, {&body.graph()}));
  const Graph& graph = body.graph();
  const bool slices = is_slices(without_identity(given.own.empty() ? Value() : given.own.front()));
  const auto elements = given.own.empty() ? std::nullopt : elements_of(given.own.front());
  if (!elements && !slices) return unknown_pieces(node);
  constexpr std::size_t kMostNodes = 100000;
  const std::size_t times = elements ? elements->size() : 1;
  const std::size_t parameters = graph.parameters().size();
  const std::size_t results = graph.results().size();
  if (parameters < given.own.size() || results < node.output_count() || times * graph.node_count() > kMostNodes)
    return node
        .error("MO-ONNX-0410",
               "{} times a body of {} inputs, {} outputs and {} nodes does not fit the {} inputs and {} outputs of the "
               "node",
               times, parameters, results, graph.node_count(), given.own.size(), node.output_count())
        .hint("the body takes one element of each sequence; export the model again");
  return slices ? map_slices(node, rw, std::move(body), given) : map_elements(node, rw, body, given, times);
}

}  // namespace

void register_sequence_map(OperatorTable& table) { table.translate("SequenceMap", since(17), sequence_map); }

}  // namespace mo::onnx
