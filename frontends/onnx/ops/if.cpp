#include "ops/if.hpp"

#include <algorithm>
#include <map>

#include "frontends/onnx/ops/support/bodies.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/conditional.hpp"
#include "ops/build/scan.hpp"

namespace mo::onnx {
namespace {

using Strings = std::vector<std::string>;

/// Maps the Parameters of a branch, which are all captured tensors, to the input ports after the condition.
Expected<std::vector<ops::InputMap>> map_branch_captures(const FrameworkNode& node, const Graph& body,
                                                         const Strings& captures) {
  std::map<std::string, std::int64_t, std::less<>> ports;
  for (std::size_t i = 0; i < captures.size(); ++i) ports.emplace(captures[i], 1 + static_cast<std::int64_t>(i));
  std::vector<ops::InputMap> maps;
  for (const Node& parameter : body.parameters()) {
    const auto port = ports.find(parameter.name());
    if (port == ports.end())
      return node.error("MO-ONNX-0219", "a branch has an input '{}'", parameter.name())
          .hint("the branches of an If have no inputs of their own");
    maps.push_back(whole_input(port->second, static_cast<std::int64_t>(maps.size())));
  }
  return maps;
}

Expected<std::vector<ops::OutputMap>> map_branch_results(const FrameworkNode& node, const Graph& body) {
  const std::size_t count = body.results().size();
  if (count < node.output_count())
    return node.error("MO-ONNX-0220", "a branch has {} outputs, and the node has {}", count, node.output_count())
        .hint("both branches must have all outputs of the node");
  std::vector<ops::OutputMap> maps;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(node.output_count()); ++i) maps.push_back(last_output(i, i));
  return maps;
}

// -- sequences and optional values that branches hand on --------------------------------------------------------------

/// The tensors inside of what a branch hands on; just the tensor when it is one, or nothing is known of it.
struct Packed {
  enum class Kind : std::uint8_t { tensor, sequence, optional } kind = Kind::tensor;
  std::vector<Value> parts;
  bool like(const Packed& other) const { return kind == other.kind && parts.size() == other.parts.size(); }
};

Packed packed(const Value& given) {
  const Value value = without_identity(given);
  if (is_optional(value) && value.node().input(0)) return {Packed::Kind::optional, {value.node().input(0)}};
  if (auto elements = elements_of(value)) return {Packed::Kind::sequence, *std::move(elements)};
  return {Packed::Kind::tensor, {given}};
}

Value pack(Rewriter& rw, Packed::Kind kind, const std::vector<Value>& parts) {
  if (kind == Packed::Kind::sequence) return sequence_of(rw, parts);
  return kind == Packed::Kind::optional ? optional_of(rw, parts.front()) : parts.front();
}

/// What the Results of a branch read, by output of the If; Results and outputs have the same order.
std::vector<Value> handed_on(const Graph& body) {
  std::vector<Value> sources;
  for (const Node& result : body.results()) sources.push_back(result.input(0));
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

/// If both branches of an If make a sequence of equally many tensors, it outputs the tensors, and the sequence is made
/// after it. Likewise for optional values that both hold something. `made` is the translated If, so that what its
/// branches make is known.
Outputs unpacked_outputs(Rewriter& rw, Node made, std::size_t output_count, const std::vector<Value>& inputs) {
  auto& conditional = *made.as<ops::If>();
  const std::vector<Value> yes = handed_on(conditional.then_body.graph());
  const std::vector<Value> no = handed_on(conditional.else_body.graph());
  std::vector<Value> then_parts;
  std::vector<Value> else_parts;
  std::vector<std::pair<Packed::Kind, std::size_t>> outputs;
  for (std::size_t i = 0; i < output_count; ++i) {
    Packed a = packed(yes[i]);
    Packed b = packed(no[i]);
    if (!a.like(b)) {
      a = {Packed::Kind::tensor, {yes[i]}};
      b = {Packed::Kind::tensor, {no[i]}};
    }
    outputs.emplace_back(a.kind, a.parts.size());
    then_parts.insert(then_parts.end(), a.parts.begin(), a.parts.end());
    else_parts.insert(else_parts.end(), b.parts.begin(), b.parts.end());
  }
  if (std::all_of(outputs.begin(), outputs.end(),
                  [](const auto& output) { return output.first == Packed::Kind::tensor; }))
    return outputs_of(made);
  ops::If op = std::move(conditional);
  rw.erase(made);
  set_results(op.then_body.graph(), op.then_output_map, then_parts);
  set_results(op.else_body.graph(), op.else_output_map, else_parts);
  const std::size_t count = then_parts.size();
  // an optional value may hold a sequence
  const Outputs parts = unpacked_outputs(rw, rw.create_node(std::move(op), inputs, count), count, inputs);
  Outputs results;
  auto next = parts.begin();
  for (const auto& [kind, size] : outputs) {
    results.push_back(pack(rw, kind, std::vector<Value>(next, next + static_cast<std::ptrdiff_t>(size))));
    next += static_cast<std::ptrdiff_t>(size);
  }
  return results;
}

/// Inputs: condition, captured tensors. A condition that is known leaves nothing but the branch that it takes.
Replacement conditional(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  ops::If op;
  op.then_body = node.take_body("then_branch");
  op.else_body = node.take_body("else_branch");
  if (node.failure()) return *node.failure();
  MO_ASSIGN(BodyInputs given, body_inputs(node, {&op.then_body.graph(), &op.else_body.graph()}));
  const Strings& captures = given.captures.names;
  MO_ASSIGN(op.then_input_map, map_branch_captures(node, op.then_body.graph(), captures));
  MO_ASSIGN(op.else_input_map, map_branch_captures(node, op.else_body.graph(), captures));
  MO_ASSIGN(op.then_output_map, map_branch_results(node, op.then_body.graph()));
  MO_ASSIGN(op.else_output_map, map_branch_results(node, op.else_body.graph()));
  const std::vector<Value> inputs = given.all();
  const auto condition =
      node.input_type(0).element_type == ElementType::boolean ? single_integer_of(node.input(0)) : std::nullopt;
  if (condition) {
    MO_ASSIGN(Outputs taken, inline_branch(rw, op, inputs, node.output_count(), *condition != 0, BodyFate::used_up));
    return taken;
  }
  const Node made = rw.create_node(std::move(op), inputs, node.output_count());
  if (rw.error()) return *rw.error();
  return unpacked_outputs(rw, made, node.output_count(), inputs);
}

}  // namespace

void register_if(OperatorTable& table) {
  for (const VersionRange range : {versions(1, 10), versions(11, 12), since(13)})
    table.translate("If", range, conditional);
}

}  // namespace mo::onnx
