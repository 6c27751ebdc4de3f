#include <algorithm>
#include <map>

#include "extensions/support/front_shapes.hpp"
#include "ops/build/scan.hpp"
#include "extensions/support/sequences.hpp"
#include "extensions/support/tensorflow_graphs.hpp"
#include "ops/if.hpp"
#include "ops/unsqueeze.hpp"

/// Sequences and optional values that go into or come out of sub-graphs: rewritten so that only tensors do.
namespace mo::front::onnx {
namespace {

using Strings = std::vector<std::string>;

// -- If ----------------------------------------------------------------------------------------------------------------------------

/// The tensors inside of what a branch hands on; nothing when that is a tensor itself, or not known.
struct Packed {
  std::string maker;
  std::vector<Value> parts;
};
std::optional<Packed> packed(const Value& given) {
  const Value value = without_identity(given);
  if (!value) return std::nullopt;
  if (value.node().is("OnnxOptional") && value.node().input(0)) return Packed{"OnnxOptional", {value.node().input(0)}};
  if (auto elements = elements_of(value)) return Packed{elements->empty() ? "OnnxSequenceEmpty" : "OnnxSequenceConstruct", *std::move(elements)};
  return std::nullopt;
}

/// The sources of all Results, in the order of the outputs of the node; nothing when the maps leave one out.
std::optional<std::vector<Value>> output_sources(const Graph& body, const std::vector<ops::OutputMap>& maps, std::size_t outputs) {
  const std::vector<Node> results = body.results();
  std::vector<Value> sources(outputs);
  for (const ops::OutputMap& map : maps)
    if (map.output >= 0 && static_cast<std::size_t>(map.output) < outputs && map.result >= 0 && static_cast<std::size_t>(map.result) < results.size())
      sources[static_cast<std::size_t>(map.output)] = results[static_cast<std::size_t>(map.result)].input(0);
  if (std::any_of(sources.begin(), sources.end(), [](const Value& v) { return !v; })) return std::nullopt;
  return sources;
}

void set_results(Graph& body, std::vector<ops::OutputMap>& maps, const std::vector<Value>& sources) {
  const std::vector<Node> old = body.results();
  maps.clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    body.create_result(sources[i]);
    maps.push_back(last_output(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)));
  }
  for (const Node& result : old) {
    const Value source = result.input(0);
    body.erase(result);
    if (source && source.node().alive()) erase_if_dead(source.node());
  }
}

/// What both branches hand on, with the tensors in place of what they are packed into.
struct Unpacked {
  std::vector<Value> yes;
  std::vector<Value> no;
  std::vector<std::pair<std::string, std::size_t>> makers;  ///< for each output, what packs how many tensors; "" for a tensor
};

/// Nothing when all outputs are tensors, or not known to be anything else.
std::optional<Unpacked> unpacked(const ops::If& op, std::size_t outputs) {
  const auto yes = output_sources(op.then_body.graph(), op.then_output_map, outputs);
  const auto no = output_sources(op.else_body.graph(), op.else_output_map, outputs);
  if (!yes || !no) return std::nullopt;
  Unpacked all;
  for (std::size_t i = 0; i < outputs; ++i) {
    auto a = packed((*yes)[i]);
    auto b = packed((*no)[i]);
    if (!a || !b || a->maker != b->maker || a->parts.size() != b->parts.size()) {
      a = Packed{"", {(*yes)[i]}};
      b = Packed{"", {(*no)[i]}};
    }
    all.makers.emplace_back(a->maker, a->parts.size());
    all.yes.insert(all.yes.end(), a->parts.begin(), a->parts.end());
    all.no.insert(all.no.end(), b->parts.begin(), b->parts.end());
  }
  if (std::all_of(all.makers.begin(), all.makers.end(), [](const auto& maker) { return maker.first.empty(); })) return std::nullopt;
  return all;
}

/// An If whose branches both make a sequence of as many tensors hands on the tensors, and the sequence is made behind it; optional values
/// that both hold something likewise.
Replacement replace_if(const Node& node, Rewriter& rw) {
  const std::size_t outputs = node.out_port_count();
  if (!unpacked(*node.as<ops::If>(), outputs)) return Replacement::declined();
  ops::If op = *node.as<ops::If>();
  const auto all = unpacked(op, outputs);  // in the copies of the branches
  if (!all) return Replacement::declined();
  set_results(op.then_body.graph(), op.then_output_map, all->yes);
  set_results(op.else_body.graph(), op.else_output_map, all->no);
  std::vector<Value> inputs;
  for (const InPort& port : node.in_ports()) inputs.push_back(port.get_source());
  const Node made = rw.create_node(std::move(op), inputs, all->yes.size());
  Outputs results;
  std::size_t next = 0;
  for (const auto& [maker, count] : all->makers) {
    std::vector<Value> parts;
    for (std::size_t i = 0; i < count; ++i) parts.push_back(made.output(next++));
    results.push_back(maker.empty() ? parts.front() : rw.create_node(front_op(maker), parts, 1).output());
  }
  return results;
}

// -- Loop --------------------------------------------------------------------------------------------------------------------------

/// The parts of an OnnxLoop: the body takes the iteration, the condition, the carried values and the captured ones by name.
struct LoopPlan {
  Body body;
  Strings captures;
  std::vector<Value> inputs;  ///< without the captured ones
  std::vector<Value> captured;
  std::size_t carried() const { return inputs.size() > 2 ? inputs.size() - 2 : 0; }
};

/// Nothing when no input is a sequence, or the body does not fit the node.
std::optional<LoopPlan> plan_of(const Node& node) {
  const std::vector<InPort> ports = node.in_ports();
  const auto is_sequence = [](const InPort& port) {
    const Value value = without_identity(port.get_source());
    return is_slices(value) || elements_of(value).has_value();
  };
  if (std::none_of(ports.begin(), ports.end(), is_sequence)) return std::nullopt;
  auto body = node.attr<Body>("body");
  if (!body) return std::nullopt;
  LoopPlan plan{.body = *std::move(body), .captures = node.attr<Strings>("captures").value_or(Strings{})};
  if (plan.captures.size() > node.in_port_count()) return std::nullopt;
  const std::size_t own = node.in_port_count() - plan.captures.size();
  for (std::size_t i = 0; i < node.in_port_count(); ++i) (i < own ? plan.inputs : plan.captured).push_back(node.input(i));
  const Graph& graph = plan.body.graph();
  if (graph.parameters().size() < 2 + plan.carried() || graph.results().size() < 1 + plan.carried() ||
      node.out_port_count() > graph.results().size() - 1)
    return std::nullopt;
  return plan;
}

Node node_of(LoopPlan plan, Rewriter& rw, std::size_t outputs) {
  std::vector<Value> inputs = plan.inputs;
  inputs.insert(inputs.end(), plan.captured.begin(), plan.captured.end());
  return rw.create_node(front_op("OnnxLoop", {{"body", std::move(plan.body)}, {"captures", plan.captures}}), inputs, outputs);
}

/// Which carried values are sequences that begin empty and grow by one tensor at the end in each iteration, and nothing else is done with them.
std::vector<bool> growing_sequences(const LoopPlan& plan) {
  const std::vector<Node> parameters = plan.body.graph().parameters();
  const std::vector<Node> results = plan.body.graph().results();
  std::vector<bool> growing(plan.carried());
  for (std::size_t i = 0; i < growing.size(); ++i) {
    const auto begin = elements_of(plan.inputs[2 + i]);
    const Value next = results[1 + i].input(0);
    if (!begin || !begin->empty() || !next || !next.node().is("OnnxSequenceInsert") || !next.has_one_destination()) continue;
    const Node insert = next.node();
    growing[i] =
        insert.input(0) == parameters[2 + i].output() && parameters[2 + i].output().has_one_destination() && insert.input(1) && !insert.input(2);
  }
  return growing;
}

/// Loop that collects tensors in a sequence -> Loop that stacks them; the sequence is that of the slices.
Replacement replace_collecting_loop(const Node& node, Rewriter& rw) {
  auto plan = plan_of(node);
  if (!plan) return Replacement::declined();
  const std::vector<bool> growing = growing_sequences(*plan);
  if (std::find(growing.begin(), growing.end(), true) == growing.end()) return Replacement::declined();
  Graph& graph = plan->body.graph();
  const std::vector<Node> parameters = graph.parameters();
  const std::vector<Node> results = graph.results();
  const std::size_t carried = growing.size();
  std::vector<Value> stacked;
  for (std::size_t i = carried; i-- > 0;) {
    if (!growing[i]) continue;
    const Node insert = results[1 + i].input(0).node();
    stacked.insert(stacked.begin(), insert.input(1));
    graph.erase(results[1 + i]);
    graph.erase(insert);
    graph.erase(parameters[2 + i]);
    plan->inputs.erase(plan->inputs.begin() + static_cast<std::ptrdiff_t>(2 + i));
  }
  for (const Value& tensor : stacked) graph.create_result(tensor);
  const std::size_t count = graph.results().size() - 1;
  const std::size_t first_stacked = count - stacked.size();
  const Node made = node_of(*std::move(plan), rw, count);
  Outputs outputs;
  std::size_t next_plain = 0;
  std::size_t next_stacked = first_stacked;
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    outputs.push_back(i < carried && growing[i] ? slices_of(rw, made.output(next_stacked++)) : made.output(next_plain++));
  return outputs;
}

/// Makes the sequence that the body's Parameter `name` stands for inside of the body. `tensors` are what the Loop gets in its place.
struct Sunk {
  std::vector<Value> tensors;
  Strings names;
};
std::optional<Sunk> sink(Graph& body, const std::string& name, const Value& given) {
  const Value sequence = without_identity(given);
  const auto elements = elements_of(sequence);
  if (!elements && !is_slices(sequence)) return std::nullopt;
  const std::vector<Node> parameters = body.parameters();
  const auto place = std::find_if(parameters.begin(), parameters.end(), [&](const Node& p) { return p.name() == name; });
  if (place == parameters.end()) return std::nullopt;
  Rewriter inner(body);
  Sunk sunk;
  std::vector<Value> arguments;
  const auto pass_in = [&](const Value& tensor) {
    sunk.names.push_back(body.unique_name(fmt::format("{}/{}", name, sunk.names.size())));
    sunk.tensors.push_back(tensor);
    arguments.push_back(body.create_parameter(known_type(tensor), sunk.names.back()).output());
  };
  if (elements) {
    for (const Value& element : *elements) pass_in(element);
    inner.replace_uses(place->output(), sequence_of(inner, arguments));
  } else {
    pass_in(sequence.node().input(0));
    const Node split = inner.create_node(Op("OnnxSplitToSequence", sequence.node().attributes()), {arguments.front()}, 1);
    inner.replace_uses(place->output(), split.output());
  }
  body.erase(*place);
  return sunk;
}

/// Loop whose body reads a sequence from outside -> Loop whose body makes the sequence, of tensors from outside.
Replacement replace_capturing_loop(const Node& node, Rewriter& rw) {
  auto plan = plan_of(node);
  if (!plan) return Replacement::declined();
  bool changed = false;
  std::vector<Value> captured;
  Strings names;
  for (std::size_t i = 0; i < plan->captures.size(); ++i) {
    Sunk sunk{{plan->captured[i]}, {plan->captures[i]}};
    if (auto made = sink(plan->body.graph(), plan->captures[i], plan->captured[i])) {
      sunk = *std::move(made);
      changed = true;
    }
    captured.insert(captured.end(), sunk.tensors.begin(), sunk.tensors.end());
    names.insert(names.end(), sunk.names.begin(), sunk.names.end());
  }
  if (!changed) return Replacement::declined();
  plan->captured = std::move(captured);
  plan->captures = std::move(names);
  const Node made = node_of(*std::move(plan), rw, node.out_port_count());
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(made.output(i));
  return outputs;
}

// -- SequenceMap -------------------------------------------------------------------------------------------------------------------

/// SequenceMap over the slices of tensors, however many there are -> Scan over these tensors. A slice that keeps its axis gets it back in
/// the body; what is the same in each iteration is captured.
Replacement map_slices(const Node& node, Rewriter& rw, Body given, const Strings& captures) {
  const std::size_t own = node.in_port_count() - captures.size();
  ScanPlan plan;
  plan.body = std::move(given);
  Graph& graph = plan.body.graph();
  const std::vector<Node> parameters = graph.parameters();
  Rewriter inner(graph);
  std::vector<Value> scanned;
  std::vector<Value> captured;
  std::vector<Node> order;
  std::vector<Node> fixed;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value input = without_identity(node.input(i));
    if (!input) return missing_input(node);
    if (i >= own || !is_slices(input)) {
      captured.push_back(input);
      plan.captures.push_back(i < own ? std::string(parameters[i].name()) : captures[i - own]);
      if (i < own) fixed.push_back(parameters[i]);
      continue;
    }
    scanned.push_back(input.node().input(0));
    order.push_back(parameters[i]);
    plan.input_axes.push_back(input.node().attr<std::int64_t>("axis").value_or(0));
    if (!input.node().attr<bool>("keepdims").value_or(true)) continue;
    const std::vector<InPort> slice_readers = parameters[i].output().get_destinations();
    parameters[i].as<Parameter>()->shape = PartialShape::unknown_rank();
    const Value kept = inner.create(ops::Unsqueeze{}, parameters[i].output(), inner.integers({plan.input_axes.back()}));
    for (const InPort& reader : slice_readers) inner.set_input(reader.node(), reader.index(), kept);
  }
  plan.scans = scanned.size();
  order.insert(order.end(), fixed.begin(), fixed.end());
  order.insert(order.end(), parameters.begin() + static_cast<std::ptrdiff_t>(own), parameters.end());
  graph.reorder_parameters(order);
  if (inner.error()) return *inner.error();
  scanned.insert(scanned.end(), captured.begin(), captured.end());
  auto made = make_scan(rw, node, std::move(plan), scanned, node.out_port_count());
  if (!made) return std::move(made).error();
  Outputs sequences;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) sequences.push_back(slices_of(rw, made->output(i)));
  return sequences;
}

/// ONNX SequenceMap-17: the body for each element of the first sequence; other sequences are as long, tensors are the same each time. A
/// sequence of known tensors becomes copies of the body, one of slices a Scan.
Replacement replace_sequence_map(const Node& node, Rewriter& rw) {
  auto body = node.attr<Body>("body");
  const auto captures = node.attr<Strings>("captures").value_or(Strings{});
  if (!body || captures.size() >= node.in_port_count() || !node.input(0)) return missing_input(node);
  const std::size_t own = node.in_port_count() - captures.size();
  Graph& graph = body->graph();
  const std::vector<Node> parameters = graph.parameters();
  const std::size_t outputs = node.out_port_count();
  const bool slices = is_slices(without_identity(node.input(0)));
  const auto elements = elements_of(node.input(0));
  if (!elements && !slices) return unknown_pieces(node);
  constexpr std::size_t kMostNodes = 100000;
  const std::size_t times = elements ? elements->size() : 1;
  if (parameters.size() < own || graph.results().size() < outputs || times * graph.node_count() > kMostNodes)
    return node
        .error("MO-ONNX-0410", "{} times a body of {} inputs, {} outputs and {} nodes does not fit the {} inputs and {} outputs of the node", times,
               parameters.size(), graph.results().size(), graph.node_count(), own, outputs)
        .hint("the body takes one element of each sequence; check how the model was exported");
  if (slices) return map_slices(node, rw, *std::move(body), captures);
  std::map<std::string_view, std::size_t> ports;
  for (std::size_t i = 0; i < captures.size(); ++i) ports.emplace(captures[i], own + i);
  std::vector<std::vector<Value>> results(outputs);
  for (std::size_t e = 0; e < elements->size(); ++e) {
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto port = i < own ? ports.end() : ports.find(parameters[i].name());
      if (i >= own && port == ports.end()) return unknown_pieces(node);
      const Value given = node.input(i < own ? i : port->second);
      const auto others = elements_of(given);
      if (!given || (others && i < own && others->size() != elements->size())) return unknown_pieces(node);
      arguments.push_back(others && i < own ? (*others)[e] : given);
    }
    auto made = inline_body(graph, rw, arguments);
    if (!made) return std::move(made).error();
    for (std::size_t i = 0; i < outputs; ++i) results[i].push_back((*made)[i]);
  }
  Outputs sequences;
  for (const auto& parts : results) sequences.push_back(sequence_of(rw, parts));
  return sequences;
}

}  // namespace

void register_sequence_bodies(PassRegistry& passes) {
  const std::vector<std::string> readers = {"OnnxSequenceAt", "OnnxConcatFromSequence", "OnnxSequenceLength"};
  std::vector<std::string> before_if = readers;
  before_if.insert(before_if.end(), {"OnnxSequenceMap", "OnnxSequenceLoop", "OnnxSequenceCapture"});
  passes.add(front_replacement_op("If").named("OnnxSequenceIf").run_before(before_if).run_after({"OnnxIdentity"}).replace_op(replace_if));
  std::vector<std::string> before_loop = readers;
  before_loop.insert(before_loop.end(), {"OnnxSequenceMap", "OnnxLoop", "OnnxSequenceCapture"});
  passes.add(front_replacement_op("OnnxLoop")
                 .named("OnnxSequenceLoop")
                 .run_before(before_loop)
                 .run_after({"OnnxIdentity"})
                 .replace_op(replace_collecting_loop));
  std::vector<std::string> before_capture = readers;
  before_capture.insert(before_capture.end(), {"OnnxSequenceMap", "OnnxLoop"});
  passes.add(front_replacement_op("OnnxLoop").named("OnnxSequenceCapture").run_before(before_capture).replace_op(replace_capturing_loop));
  passes.add(front_replacement_op("OnnxSequenceMap").run_before(readers).replace_op(replace_sequence_map));
}

}  // namespace mo::front::onnx
