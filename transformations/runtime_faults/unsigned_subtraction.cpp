#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/wider_type.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// These releases compute a - b as a + (-1) * b and min(a, b) as -max(-a, -b), and an unsigned type has no -1.
Replacement signed_arithmetic(const Node& node, Rewriter& rw) {
  const ElementType type = node.output_type().element_type;
  if (!is_integral(type) || is_signed(type) || type == ElementType::boolean) return Replacement::declined();
  return in_wider_type(node, rw, bit_width(type) <= 16 ? ElementType::i32 : ElementType::i64);
}

}  // namespace

void register_unsigned_subtraction(PassRegistry& passes) {
  passes.add(
      avoid_fault("UnsignedSubtraction", {.form = "Subtract or Minimum of an unsigned type",
                                          .symptom = "wrong values",
                                          .first = "2021.4",
                                          .last = "2022.1",
                                          .replacement = "the same of i32 or i64"})
          // These write differences of unsigned numbers.
          .run_after({"DivisionOfBytes", "QuotientsOfReductions", "RoundingOfQuotients", "NarrowIntegersThatWrap"})
          .add(lowering<ops::Subtract>("SignedSubtraction", signed_arithmetic))
          .add(lowering<ops::Minimum>("SignedMinimum", signed_arithmetic)));
}

}  // namespace mo::transformations
