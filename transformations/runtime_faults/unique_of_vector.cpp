#include "ops/unique.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The elements of a vector are its slices.
Replacement unique_elements_of_vector(const Node& node, Rewriter& rw) {
  if (node.in_port_count() < 2 || !node.input(1) || !node.as<ops::Unique>()->sorted) return Replacement::declined();
  if (node.input_type(0).rank() != 1) return declined("the data is not known to be a vector");
  const Node made = rw.create_node(*node.as<ops::Unique>(), {node.input(0)});
  return Outputs{made.output(0), made.output(1), made.output(2), made.output(3)};
}

}  // namespace

void register_unique_of_vector(PassRegistry& passes) {
  passes.add(avoid_fault("UniqueOfVector", {.form = "Unique of a vector along its axis, sorted",
                                            .symptom = "the elements are in the order in which they come",
                                            .first = "2022.3",
                                            .last = "2022.3",
                                            .replacement = "Unique without an axis"})
                 .add(lowering<ops::Unique>("UniqueElementsOfVector", unique_elements_of_vector)));
}

}  // namespace mo::transformations
