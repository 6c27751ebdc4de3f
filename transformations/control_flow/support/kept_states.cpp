#include "transformations/control_flow/support/kept_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ops/assign.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/loop.hpp"
#include "ops/read_value.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/split.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

bool has_steps(const Node& node) {
  return node.is<ops::Loop>() || node.is<ops::TensorIterator>() || node.is<ops::v5::LSTMSequence>() ||
         node.is<ops::v0::LSTMSequence>() || node.is<ops::GRUSequence>() || node.is<ops::RNNSequence>();
}

/// The input port whose tensor is the first value of a Parameter and of nothing else.
std::size_t own_input(const Node& loop, const LoopParts& parts, ops::InputMap& map) {
  const auto port = static_cast<std::size_t>(map.input);
  const auto readers = std::count_if(parts.inputs->begin(), parts.inputs->end(),
                                     [&](const ops::InputMap& other) { return other.input == map.input; });
  if (readers == 1) return port;
  map.input = static_cast<std::int64_t>(loop.in_port_count());
  return loop.in_port_count();
}

/// The output that gives what a Result of the body had in the last iteration; a new one when there is none.
std::size_t last_value(const Node& loop, const LoopParts& parts, std::int64_t result) {
  for (const ops::OutputMap& map : *parts.outputs)
    if (map.result == result && !map.axis && map.output >= 0) return static_cast<std::size_t>(map.output);
  const std::size_t port = loop.out_port_count();
  parts.outputs->push_back({.output = static_cast<std::int64_t>(port), .result = result});
  loop.add_output_port(port);
  return port;
}

/// Whether the state is how many iterations there were: each run of the model counts anew.
bool counts(const Node& parameter, const Node& result) {
  const Node sum = result.input(0).node();
  if (is_real(parameter.output_type().element_type) || !sum.is<ops::Add>()) return false;
  const bool first = sum.input(0) == parameter.output();
  return (first || sum.input(1) == parameter.output()) && sum.input(first ? 1 : 0).node().is<Const>();
}

/// The halves of [batch, 2, hidden]: the state of the forward direction, and of the reverse one.
Node directions(Rewriter& rw, const Value& state) {
  return rw.create_node(ops::Split{.num_splits = 2}, {state, rw.scalar<std::int64_t>(1)}, 2);
}

bool has_variable(const Value& first) {
  const Node node = first.node();
  return node.is<ops::ReadValue>() ||
         (node.is<ops::Concat>() && node.input(0) && node.input(0).node().is<ops::ReadValue>());
}

/// Nodes of one graph, one after the other.
class StateKeeper {
 public:
  StateKeeper(Graph& graph, const FirstState& first_state) : rw_(graph), first_state_(first_state) {
    for (const Node node : graph.nodes())
      if (const auto* read = node.as<ops::ReadValue>()) used_.insert(read->variable_id);
  }

  void keep(const Node& node) {
    if (const auto* lstm = node.as<ops::v5::LSTMSequence>()) return keep_sequence(node, 2, lstm->direction);
    if (const auto* lstm = node.as<ops::v0::LSTMSequence>()) return keep_sequence(node, 2, lstm->direction);
    if (const auto* gru = node.as<ops::GRUSequence>()) return keep_sequence(node, 1, gru->direction);
    if (const auto* rnn = node.as<ops::RNNSequence>()) return keep_sequence(node, 1, rnn->direction);
    keep_loop(node);
  }

  bool has_changed() const { return rw_.has_changed(); }
  bool has_states() const { return has_states_; }
  const std::vector<Node>& backward_nodes() const { return backward_nodes_; }
  const std::optional<Error>& error() const { return rw_.error(); }

 private:
  void keep_loop(const Node& loop) {
    const auto parts = loop_parts(loop);
    if (!parts) return;
    std::vector<std::size_t> states;
    for (std::size_t i = 0; i < parts->back_edges->size(); ++i) {
      const ops::BackEdge& edge = (*parts->back_edges)[i];
      const ops::InputMap* map = input_map(*parts, edge.parameter);
      if (map && !map->axis && map->input >= 0 &&
          !counts(parameter(*parts, edge), parts->body->results()[static_cast<std::size_t>(edge.result)]))
        states.push_back(i);
    }
    if (states.empty()) return;
    if (std::any_of(parts->inputs->begin(), parts->inputs->end(),
                    [](const ops::InputMap& map) { return map.axis && map.stride < 0; }))
      return backward_nodes_.push_back(loop);
    has_states_ = true;
    for (const std::size_t i : states) {
      const ops::BackEdge edge = (*parts->back_edges)[i];
      ops::InputMap& map = *input_map(*parts, edge.parameter);
      const Value first = loop.input(static_cast<std::size_t>(map.input));
      if (has_variable(first)) continue;  // done already
      const std::string_view name = parameter(*parts, edge).name();
      const std::string variable =
          variable_id(loop, name.empty() ? fmt::format("variable_{}", i) : fmt::format("{}/variable_{}", name, i));
      const Value read = rw_.create(ops::ReadValue{.variable_id = variable}, first_state_(rw_, first));
      const std::size_t port = own_input(loop, *parts, map);
      const std::size_t last = last_value(loop, *parts, edge.result);
      rw_.set_input(loop, port, read);
      rw_.create(ops::Assign{.variable_id = variable}, loop.out_port(last));
    }
  }

  static ops::InputMap* input_map(const LoopParts& parts, std::int64_t parameter) {
    const auto map = std::find_if(parts.inputs->begin(), parts.inputs->end(),
                                  [&](const ops::InputMap& m) { return m.parameter == parameter; });
    return map == parts.inputs->end() ? nullptr : &*map;
  }

  static Node parameter(const LoopParts& parts, const ops::BackEdge& edge) {
    return parts.body->parameters()[static_cast<std::size_t>(edge.parameter)];
  }

  /// Input and output i + 1 of the sequence are state i.
  void keep_sequence(const Node& sequence, std::size_t states, ops::RecurrentDirection direction) {
    if (direction != ops::RecurrentDirection::forward) backward_nodes_.push_back(sequence);
    if (direction == ops::RecurrentDirection::reverse) return;
    has_states_ = true;
    for (std::size_t i = 0; i < states; ++i) {
      const Value first = sequence.input(i + 1);
      if (has_variable(first)) continue;  // done already
      const std::string variable = variable_id(sequence, fmt::format("variable_{}", i));
      if (direction == ops::RecurrentDirection::forward) {
        rw_.set_input(sequence, i + 1, rw_.create(ops::ReadValue{.variable_id = variable}, first_state_(rw_, first)));
        rw_.create(ops::Assign{.variable_id = variable}, sequence.output(i + 1));
        continue;
      }
      const Node firsts = directions(rw_, first);
      const Value read = rw_.create(ops::ReadValue{.variable_id = variable}, first_state_(rw_, firsts.output(0)));
      rw_.set_input(sequence, i + 1, rw_.create(ops::Concat{.axis = 1}, read, firsts.output(1)));
      rw_.create(ops::Assign{.variable_id = variable}, directions(rw_, sequence.output(i + 1)).output(0));
    }
  }

  /// "rnn/variable_0", with the name that the framework gave the node when it has none of its own; no other variable
  /// has it.
  std::string variable_id(const Node& node, const std::string& state) {
    const std::vector<std::string_view> sources = node.sources();
    const std::string_view name = !node.name().empty() ? node.name() : !sources.empty() ? sources.front() : node.type();
    std::string id = fmt::format("{}/{}", name, state);
    for (int i = 1; !used_.insert(id).second; ++i) id = fmt::format("{}_{}/{}", name, i, state);
    return id;
  }

  Rewriter rw_;
  const FirstState& first_state_;
  std::set<std::string> used_;
  bool has_states_ = false;  ///< that are kept now, or were before
  std::vector<Node> backward_nodes_;
};

}  // namespace

Expected<bool> keep_states(Graph& graph, const PassContext& context, const FirstState& first_state) {
  std::vector<Node> nodes;
  for (const Node node : graph.nodes())
    if (has_steps(node) && !context.skips(node)) nodes.push_back(node);
  StateKeeper keeper(graph, first_state);
  for (const Node& node : nodes) keeper.keep(node);
  if (keeper.error()) return Error(*keeper.error());
  for (const Node& node : keeper.backward_nodes())
    context.diagnostics.report(
        node.warning("MO-BACK-0010", "LowLatency2: steps from the end to the start keep no state")
            .hint("they begin anew in each run: feed whole sequences, or take a model of one direction"));
  if (!keeper.has_states())
    context.diagnostics.report(
        warning("MO-BACK-0009", "LowLatency2: the model has no loop and no recurrent sequence whose state can be kept")
            .hint("states that are inputs and outputs of the model become variables with --transform MakeStateful"));
  return keeper.has_changed();
}

}  // namespace mo::transformations
