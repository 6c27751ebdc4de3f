#include "ops/bitwise.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// All bits set, as a number.
constexpr std::int32_t kSixteenBits = 65535;

/// BitwiseNot(x) -> 65535 - x, in i32.
Replacement sixteen_bits_less(const Node& node, Rewriter& rw) {
  if (node.input_type(0).element_type != ElementType::u16) return Replacement::declined();
  const Value wide = rw.fold(ops::Convert{.destination_type = ElementType::i32}, node.input(0));
  return rw.create(ops::Convert{.destination_type = ElementType::u16},
                   rw.create(ops::Subtract{}, rw.scalar(kSixteenBits), wide));
}

}  // namespace

void register_bitwise_not_of_sixteen_bits(PassRegistry& passes) {
  passes.add(avoid_fault("BitwiseNotOfSixteenBits", {.form = "BitwiseNot of u16",
                                                     .symptom = "0 whatever the input is",
                                                     .first = "2023.3",
                                                     .last = "2024.6",
                                                     .replacement = "65535 - x of i32"})
                 .add(lowering<ops::BitwiseNot>("SixteenBitsLess", sixteen_bits_less)));
}

}  // namespace mo::transformations
