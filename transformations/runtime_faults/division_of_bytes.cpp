#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/exact_quotient.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// a / b -> the quotient of 32-bit integers, as bytes.
Replacement division(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (type != ElementType::i8 && type != ElementType::u8) return declined("not bytes");
  const auto wide = [&](const Value& x) { return rw.fold(ops::Convert{.destination_type = ElementType::i32}, x); };
  const Value quotient = exact_quotient(rw, *node.as<ops::Divide>(), wide(node.input(0)), wide(node.input(1)));
  return rw.create(ops::Convert{.destination_type = type}, quotient);
}

}  // namespace

void register_division_of_bytes(PassRegistry& passes) {
  passes.add(avoid_fault("DivisionOfBytes", {.form = "Divide of i8 or u8",
                                             .symptom = "the quotient is rounded to the nearest number, or not at all",
                                             .first = "2022.1",
                                             .last = "latest",
                                             .replacement = "(a - mod(a, b)) / b of 32-bit integers"})
                 .add(lowering<ops::Divide>("Divide", division)));
}

}  // namespace mo::transformations
