#include "ops/loop.hpp"

#include <algorithm>
#include <limits>

#include "frontends/onnx/ops/support/bodies.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/scan.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// ONNX spells "no limit" as the largest number, the IR as -1.
Value trip_count(Rewriter& rw, const Value& given) {
  if (!given || single_integer_of(given) == std::numeric_limits<std::int64_t>::max())
    return rw.scalar<std::int64_t>(-1);
  return given;
}

/// Which carried values are sequences that begin empty and grow by one tensor at the end in each iteration, and nothing
/// else is done with them.
std::vector<bool> growing_sequences(const Graph& body, const std::vector<Value>& carried) {
  const std::vector<Node> parameters = body.parameters();
  const std::vector<Node> results = body.results();
  std::vector<bool> growing(carried.size());
  for (std::size_t i = 0; i < growing.size(); ++i) {
    const auto begin = elements_of(carried[i]);
    const Value next = without_identity(results[1 + i].input(0));
    if (!begin || !begin->empty() || !next || !next.node().is("onnx::SequenceInsert") || !next.has_one_destination())
      continue;
    const Node insert = next.node();
    const Value before = parameters[2 + i].output();
    growing[i] = insert.input(0) == before && before.has_one_destination() && insert.input(1) && !insert.input(2);
  }
  return growing;
}

/// A loop that collects tensors in a sequence becomes one that stacks them: `growing` values are no longer carried, and
/// Results that are stacked come after all others.
void stack_instead(Graph& body, std::vector<Value>& carried, const std::vector<bool>& growing) {
  const std::vector<Node> parameters = body.parameters();
  const std::vector<Node> results = body.results();
  const auto last_insert = [&](std::size_t i) { return without_identity(results[1 + i].input(0)).node(); };
  for (std::size_t i = 0; i < growing.size(); ++i)
    if (growing[i]) body.create_result(last_insert(i).input(1));
  for (std::size_t i = growing.size(); i-- > 0;) {
    if (!growing[i]) continue;
    const Node last = results[1 + i].input(0).node();
    body.erase(results[1 + i]);
    erase_if_dead(last);
    body.erase(parameters[2 + i]);
    carried.erase(carried.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Inputs: trip count, condition, carried values, captured tensors. Body: iteration, condition, carried values,
/// captured tensors -> condition, carried values, values that are stacked along a new first axis.
Replacement loop(const FrameworkNode& node, Rewriter& rw) {
  ops::Loop op;
  op.body = node.take_body("body");
  if (node.failure()) return *node.failure();
  Graph& body = op.body.graph();
  MO_ASSIGN(BodyInputs given, body_inputs(node, {&body}, 2));
  std::vector<Value> carried(
      given.own.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(given.own.size(), 2)), given.own.end());
  const std::size_t results = body.results().size();
  if (body.parameters().size() < 2 + carried.size() || results < 1 + carried.size() ||
      node.output_count() > results - 1)
    return node
        .error("MO-ONNX-0220", "the body has {} inputs and {} outputs for {} carried values and {} outputs of the node",
               body.parameters().size(), results, carried.size(), node.output_count())
        .hint(
            "a loop's body takes the iteration, the condition and the carried values, and gives the condition, the "
            "carried values and what is "
            "stacked");
  const std::vector<bool> growing = growing_sequences(body, carried);
  stack_instead(body, carried, growing);

  const auto own = static_cast<std::int64_t>(2 + carried.size());
  const auto own_input = [&](std::size_t i) { return i < given.own.size() ? given.own[i] : Value(); };
  std::vector<Value> inputs = {trip_count(rw, own_input(0)), own_input(1) ? own_input(1) : rw.scalar(true)};
  inputs.insert(inputs.end(), carried.begin(), carried.end());
  inputs.insert(inputs.end(), given.captures.values.begin(), given.captures.values.end());
  op.input_map = {whole_input(-1, 0), whole_input(1, 1)};
  op.output_map = {last_output(-1, 0)};
  op.back_edges = {{.result = 0, .parameter = 1}};
  for (std::int64_t i = 2; i < own; ++i) {
    op.input_map.push_back(whole_input(i, i));
    op.back_edges.push_back({.result = i - 1, .parameter = i});
  }
  MO_ASSIGN(const auto captured,
            map_captures(node.node(), body, static_cast<std::size_t>(own), given.captures.names, own));
  op.input_map.insert(op.input_map.end(), captured.begin(), captured.end());
  // The outputs of the node first, then what its sequences became.
  const std::size_t collected = static_cast<std::size_t>(std::count(growing.begin(), growing.end(), true));
  const std::size_t outputs = collected > 0 ? results - 1 : node.output_count();
  Rewriter inner(body);
  for (std::size_t i = 0; i < outputs; ++i) {
    ops::OutputMap map = last_output(static_cast<std::int64_t>(i), 1 + static_cast<std::int64_t>(i));
    if (i >= carried.size()) {
      map.axis = 0;
      const Node result = body.results()[i + 1];
      inner.set_input(result, 0, inner.create(ops::Unsqueeze{}, result.input(0), inner.integers({0})));
    }
    op.output_map.push_back(map);
  }
  if (inner.error()) return *inner.error();
  const Node made = rw.create_node(std::move(op), inputs, outputs);
  Outputs given_back;
  std::size_t next_plain = 0;
  std::size_t next_stacked = outputs - collected;
  for (std::size_t i = 0; i < node.output_count(); ++i)
    given_back.push_back(i < growing.size() && growing[i] ? slices_of(rw, made.output(next_stacked++))
                                                          : made.output(next_plain++));
  return given_back;
}

}  // namespace

void register_loop(OperatorTable& table) {
  for (const VersionRange range : {versions(1, 10), versions(11, 12), since(13)}) table.translate("Loop", range, loop);
}

}  // namespace mo::onnx
