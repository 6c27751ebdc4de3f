#include "transformations/control_flow/support/input_states.hpp"

#include <algorithm>

#include "core/graph/model_ends.hpp"
#include "core/support/nearest.hpp"
#include "ops/assign.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/lengths.hpp"
#include "ops/read_value.hpp"

namespace mo::transformations {
namespace {

/// The first of `ends` that is called so and not used yet.
Expected<Node> find_end(const std::vector<Node>& ends, const std::vector<Node>& used, std::string_view name,
                        std::string_view what, std::string_view pass) {
  for (const Node& end : ends)
    if (is_called(end, name) && std::find(used.begin(), used.end(), end) == used.end()) return end;
  std::vector<std::string> known;
  for (const Node& end : ends) known.emplace_back(tensor_of_end(end).node().name());
  const std::string close = nearest(name, known);
  Diagnostic failed = error("MO-CONFIG-0051", "{}: the model has no {} '{}'", pass, what, name);
  return close.empty() ? std::move(failed).hint("mo inspect lists inputs and outputs")
                       : std::move(failed).hint("did you mean '{}'?", close);
}

bool has_variable(const Graph& graph, const std::string& variable) {
  for (const Node node : graph.nodes())
    if (const auto* read = node.as<ops::ReadValue>(); read && read->variable_id == variable) return true;
  return false;
}

/// What the variable has before it is set. Known sizes make a constant.
Value first_value(Rewriter& rw, const Value& state, const SizeOfState& size) {
  const PartialShape& shape = state.type().shape;
  const Value zero = rw.scalar_like(state, 0);
  if (const auto known = shape.to_shape())
    return rw.fold(ops::Broadcast{}, zero, rw.integers({known->begin(), known->end()}));
  std::vector<Value> sizes;
  std::vector<std::int64_t> numbers;
  const auto add_numbers = [&] {
    if (!numbers.empty()) sizes.push_back(rw.integers(std::exchange(numbers, {})));
  };
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Value computed = shape[axis].is_known() ? Value() : size(rw, shape[axis], axis);
    if (!computed) {
      numbers.push_back(shape[axis].min());
      continue;
    }
    add_numbers();
    sizes.push_back(computed);
  }
  add_numbers();
  return rw.create(ops::Broadcast{}, zero, sizes.size() == 1 ? sizes.front() : build::join(rw, sizes));
}

Expected<void> keep_state(Rewriter& rw, const InputState& state, const SizeOfState& size, std::string_view pass) {
  const Value given = state.parameter.output();
  const TensorType type = given.type();
  if (!type.shape.has_rank())
    return state.parameter
        .error("MO-CONFIG-0051", "{}: the rank of the state '{}' is unknown", pass, state.parameter.name())
        .hint("give its shape with --input or --input_shape; sizes may stay unknown, as in [?,8,?,64]");
  ops::ReadValue variable{.variable_id = state.variable};
  // The first value is smaller than later ones are.
  if (!type.shape.is_static()) {
    variable.variable_type = type.element_type;
    variable.variable_shape = type.shape;
  }
  const Value read = rw.create(std::move(variable), first_value(rw, given, size));
  const Value next = state.result.input(0);
  for (const InPort& reader : given.get_destinations()) rw.set_input(reader.node(), reader.index(), read);
  rw.create(ops::Assign{.variable_id = state.variable}, next == given ? read : next);
  rw.graph().erase(state.result);
  rw.graph().erase(state.parameter);
  return {};
}

}  // namespace

Expected<std::vector<InputState>> find_states(const Graph& graph, const std::vector<StatePair>& pairs,
                                              std::string_view pass) {
  std::vector<InputState> states;
  std::vector<Node> used;
  for (const StatePair& pair : pairs) {
    std::string variable = variable_of(pair);
    if (has_variable(graph, variable)) continue;  // done already
    MO_ASSIGN(const Node parameter, find_end(graph.parameters(), used, pair.input, "input", pass));
    MO_ASSIGN(const Node result, find_end(graph.results(), used, pair.output, "output", pass));
    used.insert(used.end(), {parameter, result});
    states.push_back({parameter, result, std::move(variable)});
  }
  return states;
}

Expected<void> make_variables(Graph& graph, const std::vector<InputState>& states, const SizeOfState& size,
                              std::string_view pass) {
  Rewriter rw(graph);
  for (const InputState& state : states) MO_TRY(keep_state(rw, state, size, pass));
  if (rw.error()) return Error(*rw.error());
  for (const Node& made : rw.take_created()) erase_if_dead(made);  // of what was folded
  return {};
}

}  // namespace mo::transformations
