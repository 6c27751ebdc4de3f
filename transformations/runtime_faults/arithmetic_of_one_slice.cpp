#include <algorithm>

#include "ops/elementwise_binary.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/gathered_slice.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_arithmetic(const Node& node) {
  return node.is<ops::Add>() || node.is<ops::Subtract>() || node.is<ops::Multiply>() || node.is<ops::Divide>();
}

/// Arithmetic of the value and a constant that other arithmetic reads.
bool is_read_by_two(const InPort& reader) {
  const Node node = reader.node();
  if (!is_arithmetic(node) || !node.input(1 - reader.index()).node().is<Const>()) return false;
  const std::vector<InPort> next = node.output().get_destinations();
  return std::any_of(next.begin(), next.end(), [](const InPort& port) { return is_arithmetic(port.node()); });
}

Replacement gathers(const Node& node, Rewriter& rw) {
  if (!drops_dimensions(*node.as<ops::StridedSlice>())) return Replacement::declined();
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(), is_read_by_two))
    return declined("no two elementwise ops, the first with a constant, follow it");
  const Value made = as_gathers(node, rw);
  return made ? Replacement(made) : declined("the axes of the indices are unknown");
}

}  // namespace

void register_arithmetic_of_one_slice(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "ArithmeticOfOneSlice",
          {.form = "StridedSlice that drops dimensions, before arithmetic with a constant and further arithmetic",
           .symptom = "not compiled: Any was not initialized",
           .first = "2023.3",
           .last = "2023.3",
           .replacement = "Gather for each dropped dimension, StridedSlice for the others"})
          .add(lowering<ops::StridedSlice>("GathersOfArithmetic", gathers)));
}

}  // namespace mo::transformations
