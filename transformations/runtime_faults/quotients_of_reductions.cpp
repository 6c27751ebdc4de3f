#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/exact_quotient.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

template <class... T>
bool is_any_of(const Node& node) {
  return (node.is<T>() || ...);
}

Replacement quotient_of_reduction(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (!is_integral(type) || bit_width(type) < 16) return declined("floating-point values, or bytes");
  const Value reduced = node.input(0);
  if (!is_any_of<ops::ReduceSum, ops::ReduceMean, ops::ReduceMax, ops::ReduceMin, ops::ReduceProd, ops::ReduceL1,
                 ops::ReduceL2>(reduced.node()))
    return declined("the dividend is not a reduction");
  if (reduced.get_destinations().size() > 1) return declined("the reduction has other readers, and stays apart");
  if (!node.input(1).node().is<Const>() && !integers_of(node.input(1)))
    return declined("the divisor is computed, and the division stays apart");
  if (integers_of(node.output())) return declined("the quotient is known, runtimes fold it as well");
  return exact_quotient(rw, *node.as<ops::Divide>(), reduced, node.input(1));
}

}  // namespace

void register_quotients_of_reductions(PassRegistry& passes) {
  passes.add(
      avoid_fault("QuotientsOfReductions",
                  {.form = "Divide of integers by a constant, where nothing else reads the dividend, a reduction",
                   .symptom = "the quotient is rounded to the nearest number",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "(a - mod(a, b)) / b"})
          .add(lowering<ops::Divide>("Divide", quotient_of_reduction)));
}

}  // namespace mo::transformations
