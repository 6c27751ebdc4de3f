#include "transformations/control_flow/support/input_states.hpp"

#include <algorithm>
#include <optional>

#include "core/graph/model_ends.hpp"
#include "core/support/nearest.hpp"
#include "ops/assign.hpp"
#include "ops/broadcast.hpp"
#include "ops/read_value.hpp"

namespace mo::transformations {
namespace {

struct StatePair {
  std::string input;
  std::string output;
};

/// Reads the dictionary of names. Shells may have taken the quotation marks; then a name ends at the next of `:,}`.
class PairReader {
 public:
  explicit PairReader(std::string_view text) : text_(text) {}

  Expected<std::vector<StatePair>> read() {
    std::vector<StatePair> pairs;
    bool good = skip('{');
    while (good) {
      StatePair pair;
      good = name(pair.input) && skip(':') && name(pair.output);
      if (!good) break;
      pairs.push_back(std::move(pair));
      if (skip(',')) continue;
      good = skip('}') && at_ == text_.size();
      break;
    }
    if (good) return pairs;
    return error("MO-CONFIG-0050", "MakeStateful: param_res_names is not a list of pairs: {}", text_)
        .hint("write --transform \"MakeStateful[param_res_names={{'input':'output','input2':'output2'}}]\"");
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool skip(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }
  bool name(std::string& name) {
    const bool quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
    const std::size_t start = quoted ? at_ + 1 : at_;
    const std::size_t end = quoted ? text_.find(text_[at_], start) : text_.find_first_of(":,}", start);
    if (end == std::string_view::npos || end == start) return false;
    name = text_.substr(start, end - start);
    at_ = quoted ? end + 1 : end;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The first of `ends` that is called so and not used yet.
Expected<Node> find(const std::vector<Node>& ends, const std::vector<Node>& used, std::string_view name,
                    std::string_view what) {
  for (const Node& end : ends)
    if (is_called(end, name) && std::find(used.begin(), used.end(), end) == used.end()) return end;
  std::vector<std::string> known;
  for (const Node& end : ends) known.emplace_back(tensor_of_end(end).node().name());
  const std::string close = nearest(name, known);
  Diagnostic failed = error("MO-CONFIG-0051", "MakeStateful: the model has no {} '{}'", what, name);
  return close.empty() ? std::move(failed).hint("mo inspect lists inputs and outputs")
                       : std::move(failed).hint("did you mean '{}'?", close);
}

/// The Parameter becomes a variable that begins with zeros, the Result what it is set to.
Expected<void> keep_state(Rewriter& rw, const Node& parameter, const Node& result, const std::string& variable) {
  const auto shape = parameter.output_type().shape.to_shape();
  if (!shape)
    return parameter
        .error("MO-CONFIG-0051", "MakeStateful: the state '{}' has no fixed size: {}", parameter.name(),
               parameter.output_type().shape.to_string())
        .hint("give its shape with --input or --input_shape");
  const Value zeros =
      rw.fold(ops::Broadcast{}, rw.scalar_like(parameter.output(), 0), rw.integers({shape->begin(), shape->end()}));
  const Value read = rw.create(ops::ReadValue{.variable_id = variable}, zeros);
  const Value next = result.input(0);
  for (const InPort& reader : parameter.output().get_destinations()) rw.set_input(reader.node(), reader.index(), read);
  rw.create(ops::Assign{.variable_id = variable}, next == parameter.output() ? read : next);
  rw.graph().erase(result);
  rw.graph().erase(parameter);
  return {};
}

bool has_variable(const Graph& graph, const std::string& variable) {
  for (const Node node : graph.nodes())
    if (const auto* read = node.as<ops::ReadValue>(); read && read->variable_id == variable) return true;
  return false;
}

}  // namespace

Expected<bool> make_stateful(Graph& graph, std::string_view names) {
  MO_ASSIGN(const std::vector<StatePair> pairs, PairReader(names).read());
  struct State {
    Node parameter;
    Node result;
    std::string variable;
  };
  std::vector<State> states;
  std::vector<Node> used;
  for (const StatePair& pair : pairs) {
    std::string variable = pair.input + pair.output;
    if (has_variable(graph, variable)) continue;  // done already
    MO_ASSIGN(const Node parameter, find(graph.parameters(), used, pair.input, "input"));
    MO_ASSIGN(const Node result, find(graph.results(), used, pair.output, "output"));
    used.insert(used.end(), {parameter, result});
    states.push_back({parameter, result, std::move(variable)});
  }
  Rewriter rw(graph);
  for (const State& state : states) MO_TRY(keep_state(rw, state.parameter, state.result, state.variable));
  if (rw.error()) return Error(*rw.error());
  for (const Node& made : rw.take_created()) erase_if_dead(made);  // of what was folded
  return !states.empty();
}

}  // namespace mo::transformations
