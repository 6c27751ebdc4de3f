#include "transformations/control_flow/support/freed_states.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/graph/model_ends.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/assign.hpp"
#include "ops/gather.hpp"
#include "ops/read_value.hpp"
#include "transformations/control_flow/support/beam_index.hpp"
#include "transformations/control_flow/support/state_pairs.hpp"

namespace mo::transformations {
namespace {

/// The variable that a node reads, or sets; empty for other nodes.
std::string variable_read(const Node& node) {
  if (const auto* const read = node.as<ops::v3::ReadValue>()) return read->variable_id;
  if (const auto* const read = node.as<ops::v6::ReadValue>()) return read->variable_id;
  return {};
}
std::string variable_set(const Node& node) {
  if (const auto* const assign = node.as<ops::v3::Assign>()) return assign->variable_id;
  if (const auto* const assign = node.as<ops::v6::Assign>()) return assign->variable_id;
  return {};
}

bool selects_rows_of_state(const InPort& reader) {
  const Node node = reader.node();
  const auto* const gather = node.as<ops::Gather>();
  const bool is_gather = (gather && gather->batch_dims == 0) || node.is<ops::v1::Gather>();
  return is_gather && reader.index() == 1 && node.input(0) && !variable_read(node.input(0).node()).empty();
}

/// A program that keeps the caches itself selects their rows itself: Gather(ReadValue, beam_idx) -> ReadValue, where
/// nothing else reads beam_idx.
void drop_beam_index(Rewriter& rw) {
  const std::vector<Node> inputs = rw.graph().parameters();
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [](const Node& input) { return is_called(input, kBeamIndex); });
  if (found == inputs.end()) return;
  const std::vector<InPort> readers = found->output().get_destinations();
  if (readers.empty() || !std::all_of(readers.begin(), readers.end(), selects_rows_of_state)) return;
  for (const InPort& reader : readers) {
    const Node gather = reader.node();
    const Value state = gather.input(0);
    for (const InPort& of_rows : gather.output().get_destinations())
      rw.set_input(of_rows.node(), of_rows.index(), state);
    rw.erase(gather);
  }
  rw.graph().erase(*found);
}

/// A constant, or zeros where the node has no input.
std::optional<Tensor> first_value_of(const Node& read) {
  const Value given = read.in_port_count() > 0 ? read.input(0) : Value();
  if (given) {
    const auto* const constant = given.node().as<Const>();
    return constant ? std::optional(constant->value) : std::nullopt;
  }
  const auto shape = read.output_type().shape.to_shape();
  if (!shape) return std::nullopt;
  auto zeros = Tensor::allocate(read.output_type().element_type, *shape);
  return zeros ? std::optional(*std::move(zeros)) : std::nullopt;
}

StatePair names_of_variable(const std::string& variable) {
  StatePair names = cache_of_variable(variable);
  return names.input.empty() ? StatePair{variable, variable + "/next"} : names;
}

/// The first name of a tensor is the one that users see; an end of the model has its name already.
void name_next_value(const Value& value, const std::string& name) {
  const std::vector<std::string_view> names = value.data().tensor_names();
  const bool is_end = value.node().is<Parameter>() || is_model_output(value);
  if (!is_end)
    value.data().clear_tensor_names();
  else if (names.empty())
    value.data().add_tensor_name(value.node().name());
  value.data().add_tensor_name(name);
  if (is_end) return;
  for (const std::string_view other : names) value.data().add_tensor_name(other);
}

class States {
 public:
  explicit States(Graph& graph) : graph_(graph), rw_(graph) {}

  Expected<FreedStates> run() {
    std::vector<Node> reads;
    std::vector<Node> assigns;
    for (const Node node : graph_.nodes()) {
      if (!variable_read(node).empty()) reads.push_back(node);
      if (!variable_set(node).empty()) assigns.push_back(node);
    }
    if (reads.empty() && assigns.empty()) return FreedStates{};
    compute_kept_values(reads, assigns);
    drop_beam_index(rw_);
    for (const Node& read : reads) add_input(read);
    const auto place = [this](const Node& assign) {
      return std::find(order_.begin(), order_.end(), variable_set(assign)) - order_.begin();
    };
    std::stable_sort(assigns.begin(), assigns.end(), [&](const Node& a, const Node& b) { return place(a) < place(b); });
    for (const Node& assign : assigns) add_output(assign);
    if (rw_.error()) return Error(*rw_.error());
    freed_.changed = true;
    return std::move(freed_);
  }

 private:
  /// Variables that keep the first value, which the model computes: each run computes it.
  void compute_kept_values(std::vector<Node>& reads, std::vector<Node>& assigns) {
    std::set<std::string> kept;
    for (const Node& assign : assigns) kept.insert(variable_set(assign));
    for (const Node& assign : assigns)
      if (variable_read(assign.input(0).node()) != variable_set(assign)) kept.erase(variable_set(assign));
    for (const Node& read : reads) {
      const Value first = read.in_port_count() > 0 ? read.input(0) : Value();
      if (!first || first.node().is<Const>()) kept.erase(variable_read(read));
    }
    const auto erase = [&](std::vector<Node>& nodes, const auto& variable) {
      std::erase_if(nodes, [&](const Node& node) {
        if (!kept.contains(variable(node))) return false;
        rw_.replace_uses(node.output(), node.input(0));
        graph_.erase(node);
        return true;
      });
    };
    erase(assigns, variable_set);
    erase(reads, variable_read);
  }

  void add_input(const Node& read) {
    const std::string variable = variable_read(read);
    Value& input = inputs_[variable];
    if (!input) {
      order_.push_back(variable);
      const std::string name = names_of_variable(variable).input;
      const Node parameter = graph_.create_parameter(read.output_type(), name);
      input = parameter.output();
      input.data().add_tensor_name(name);
      if (auto value = first_value_of(read)) freed_.first_values.emplace_back(parameter, *std::move(value));
    }
    rw_.replace_uses(read.output(), input);
    const Value first = read.in_port_count() > 0 ? read.input(0) : Value();
    graph_.erase(read);
    if (first) erase_if_dead(first.node());
  }

  void add_output(const Node& assign) {
    const std::string name = names_of_variable(variable_set(assign)).output;
    const Value value = assign.input(0);
    name_next_value(value, name);
    rw_.replace_uses(assign.output(), value);
    graph_.erase(assign);
    set_public_name(graph_.create_result(value), name);
  }

  Graph& graph_;
  Rewriter rw_;
  std::map<std::string, Value> inputs_;  ///< by variable
  std::vector<std::string> order_;       ///< of the variables that are read
  FreedStates freed_;
};

}  // namespace

Expected<FreedStates> states_to_inputs(Graph& graph) { return States(graph).run(); }

}  // namespace mo::transformations
