#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Concat(a, b) along axis 1 -> squeeze(Concat(unsqueeze(a, 0), unsqueeze(b, 0)) along axis 2, 0).
Replacement along_axis_two(const Node& node, Rewriter& rw) {
  const auto rank = node.output_type().rank();
  if (!rank || normalize_axis(node.as<ops::Concat>()->axis, *rank) != 1) return declined("not along axis 1");
  if (is_computed(node.output())) return declined("an input is computed");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  if (std::all_of(inputs.begin(), inputs.end(), [](const Value& input) { return input.node().is<Const>(); }))
    return declined("constants alone, which runtimes fold");
  const Value first = rw.integers({0});
  for (Value& input : inputs) input = rw.fold(ops::Unsqueeze{}, input, first);
  return rw.create(ops::Squeeze{}, rw.create(ops::Concat{.axis = 2}, inputs), first);
}

}  // namespace

void register_joined_constants(PassRegistry& passes) {
  passes.add(avoid_fault("JoinedConstants",
                         {.form = "Concat along axis 1 of tensors that constants and static shapes determine, one of "
                                  "which an op makes that the runtime does not fold",
                          .symptom = "a crash while the model is compiled",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Unsqueeze, Concat along axis 2, Squeeze"})
                 .add(lowering<ops::Concat>("AlongAxisTwo", along_axis_two)));
}

}  // namespace mo::transformations
