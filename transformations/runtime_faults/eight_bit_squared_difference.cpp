#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/wider_type.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement wide_difference(const Node& node, Rewriter& rw) {
  const ElementType type = node.output_type().element_type;
  if (type != ElementType::u8 && type != ElementType::i8) return Replacement::declined();
  return in_wider_type(node, rw, ElementType::i32);
}

}  // namespace

void register_eight_bit_squared_difference(PassRegistry& passes) {
  passes.add(avoid_fault("EightBitSquaredDifference", {.form = "SquaredDifference of u8 or i8",
                                                       .symptom = "wrong values",
                                                       .first = "2023.3",
                                                       .last = "latest",
                                                       .replacement = "SquaredDifference of i32"})
                 .add(lowering<ops::SquaredDifference>("WideDifference", wide_difference)));
}

}  // namespace mo::transformations
