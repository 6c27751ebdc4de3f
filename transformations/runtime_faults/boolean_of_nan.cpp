#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement is_not_zero(const Node& node, Rewriter& rw) {
  if (node.as<ops::Convert>()->destination_type != ElementType::boolean || !is_real(node.input_type(0).element_type))
    return Replacement::declined();
  return rw.create(ops::NotEqual{}, node.input(0), rw.scalar_like(node.input(0), 0));
}

}  // namespace

void register_boolean_of_nan(PassRegistry& passes) {
  passes.add(avoid_fault("BooleanOfNan", {.form = "Convert of floating-point values to boolean",
                                          .symptom = "NaN becomes false; in 2021.4 each value stays as it is",
                                          .first = "2021.4",
                                          .last = "latest",
                                          .replacement = "NotEqual(x, 0)"})
                 .add(lowering<ops::Convert>("IsNotZero", is_not_zero)));
}

}  // namespace mo::transformations
