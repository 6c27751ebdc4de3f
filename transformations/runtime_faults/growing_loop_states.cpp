#include <algorithm>

#include "ops/build/tensors.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "transformations/runtime_faults/support/computed_zero.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_narrower(const Dimension& first, const Dimension& state) {
  return first.is_bounded() && (!state.is_bounded() || state.max() > first.max());
}

/// The states of a loop that may become larger than their first values can be: by input of the loop, whether each
/// dimension grows.
std::vector<std::pair<std::size_t, std::vector<bool>>> growing_states(const Node& loop, const LoopParts& parts) {
  std::vector<std::pair<std::size_t, std::vector<bool>>> found;
  const std::vector<Node> parameters = parts.body->parameters();
  const std::vector<LoopArgument> arguments = loop_arguments(parts);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_state()) continue;
    const auto input = static_cast<std::size_t>(arguments[i].map->input);
    const PartialShape& first = loop.input_type(input).shape;
    const PartialShape& state = parameters[i].output_type().shape;
    if (!first.has_rank() || !state.has_rank() || first.size() != state.size() ||
        loop.input_type(input).element_type == ElementType::string)
      continue;
    std::vector<bool> grows;
    for (std::size_t k = 0; k < first.size(); ++k) grows.push_back(is_narrower(first[k], state[k]));
    if (std::find(grows.begin(), grows.end(), true) != grows.end()) found.emplace_back(input, std::move(grows));
  }
  return found;
}

/// `first` as a tensor of which a runtime does not know the sizes where it `grows`.
Value of_unknown_sizes(Rewriter& rw, Value first, const std::vector<bool>& grows, const Value& zero) {
  const Value start = rw.scalar<std::int64_t>(0);
  for (std::size_t i = 0; i < grows.size(); ++i) {
    if (!grows[i]) continue;
    const auto axis = static_cast<std::int64_t>(i);
    const Dimension& known = first.type().shape[i];
    const Value size = known.is_known() ? rw.scalar(known.value()) : build::dimension_of(rw, first, axis);
    const Value indices = rw.create(ops::Range{}, start, rw.create(ops::Add{}, size, zero), rw.scalar<std::int64_t>(1));
    first = rw.create(ops::v1::Gather{}, first, indices, rw.scalar(axis));
  }
  return first;
}

/// loop(first value of a state) -> loop(gather(first value, range(its size + 0))), for each dimension that grows.
Replacement hide_sizes(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto parts = loop_parts(node);
  if (!parts) return Replacement::declined();
  const auto growing = growing_states(node, *parts);
  if (growing.empty()) return declined("no state becomes larger than its first value can be");
  const Value zero = computed_zero(rw);
  if (!zero) return declined("the graph has no inputs, so that each size is known");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  for (const auto& [input, grows] : growing) inputs[input] = of_unknown_sizes(rw, inputs[input], grows, zero);
  const std::size_t outputs = node.out_port_count();
  return rw.create_node(node.take_op(), inputs, outputs).out_ports();
}

}  // namespace

void register_growing_loop_states(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "GrowingLoopStates",
          {.form =
               "Loop or TensorIterator with a state that becomes larger than its first value is known to be at most",
           .symptom =
               "the state has the size of its first value in each step, or the model is not compiled or computed",
           .first = "2022.1",
           .last = "2025.4",
           .replacement =
               "Gather of all elements of the first value, the number of which is computed as size + (x < x)"})
          .add(RewriteRule("HideSizes", {"Loop", "TensorIterator"}, std::nullopt, hide_sizes)));
}

}  // namespace mo::transformations
