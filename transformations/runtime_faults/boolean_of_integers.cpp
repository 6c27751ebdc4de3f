#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement integer_is_not_zero(const Node& node, Rewriter& rw) {
  if (node.as<ops::Convert>()->destination_type != ElementType::boolean ||
      !is_integral(node.input_type(0).element_type))
    return Replacement::declined();
  return rw.create(ops::NotEqual{}, node.input(0), rw.scalar_like(node.input(0), 0));
}

}  // namespace

void register_boolean_of_integers(PassRegistry& passes) {
  passes.add(avoid_fault("BooleanOfIntegers", {.form = "Convert of integers to boolean",
                                               .symptom = "each value stays as it is, or negative values become false",
                                               .first = "2021.4",
                                               .last = "2023.3",
                                               .replacement = "NotEqual(x, 0)"})
                 .add(lowering<ops::Convert>("IntegerIsNotZero", integer_is_not_zero)));
}

}  // namespace mo::transformations
