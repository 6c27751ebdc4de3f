#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/assign.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/read_value.hpp"
#include "ops/select.hpp"

namespace mo::transformations {
namespace {

constexpr std::string_view kHasRun = "has_run";

bool is_zero(Value value) {
  if (value.node().is<ops::Broadcast>()) value = value.node().input(0);
  constexpr std::size_t kMostNumbers = std::size_t{1} << 20;
  const auto numbers = reals_of(value, kMostNumbers);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double number) { return number == 0; });
}

bool is_chosen(const Value& state) {
  const std::vector<InPort> readers = state.get_destinations();
  return std::any_of(readers.begin(), readers.end(),
                     [](const InPort& reader) { return reader.node().is<ops::Select>() && reader.index() == 2; });
}

/// ReadValue nodes whose first value counts. A scalar does not become a vector by its choice.
std::vector<Node> states_that_begin(const Graph& graph) {
  std::vector<Node> found;
  for (const auto [node, read] : graph.each<ops::ReadValue>())
    if (node.in_port_count() > 0 && node.output_type().rank().value_or(0) > 0 && read.variable_id != kHasRun &&
        !is_zero(node.input(0)) && !is_chosen(node.output()))
      found.push_back(node);
  return found;
}

/// A variable that is 0 in the first run, and in the first one after a reset.
Value is_first_run(Rewriter& rw) {
  const Value has_run =
      rw.create(ops::ReadValue{.variable_id = std::string(kHasRun)}, rw.constant(Tensor::vector<float>({0})));
  // What is assigned depends on what is read: runtimes know no other order of the two.
  rw.create(ops::Assign{.variable_id = std::string(kHasRun)},
            rw.create(ops::Maximum{}, has_run, rw.scalar_like(has_run, 1)));
  return rw.create(ops::Equal{}, has_run, rw.scalar_like(has_run, 0));
}

}  // namespace

void register_first_states(PassRegistry& passes) {
  passes.add(graph_pass("FirstStates")
                 .phase(Phase::finish)
                 .run_after({"FinalInference", "LowLatency2", "MakeStateful"})
                 .run_before({"CheckTarget"})
                 .only_top_level()
                 .looks_for<ops::ReadValue>()
                 .avoids({.form = "ReadValue whose first value is not zero",
                          .symptom = "the first run begins with zeros; the value only counts after a reset",
                          .first = "2021.4",
                          .last = "2022.3",
                          .replacement = "a second variable that says whether it is the first run, and Select"})
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   const std::vector<Node> states = states_that_begin(graph);
                   if (states.empty()) return false;
                   Rewriter rw(graph);
                   const Value first_run = is_first_run(rw);
                   for (const Node& state : states) {
                     const std::vector<InPort> readers = state.output().get_destinations();
                     const Value chosen = rw.create(ops::Select{}, first_run, state.input(0), state.output());
                     for (const InPort& reader : readers) rw.set_input(reader.node(), reader.index(), chosen);
                   }
                   if (rw.error()) return Error(*rw.error());
                   return true;
                 }));
}

}  // namespace mo::transformations
