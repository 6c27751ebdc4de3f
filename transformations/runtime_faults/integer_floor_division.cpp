#include "ops/build/non_negative.hpp"
#include "ops/comparison.hpp"
#include "ops/logical.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// floor(a / b) -> q - 1 where q truncated upwards, that is where there is a remainder and its sign is not that of b; q
/// elsewhere.
Replacement floor_division(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Divide>();
  const Value a = node.input(0);
  const Value b = node.input(1);
  if (!op.m_pythondiv || !is_signed(a.type().element_type) || is_real(a.type().element_type))
    return Replacement::declined();
  if (build::is_not_negative(a) && build::is_not_negative(b)) return declined("no operand is negative");
  const auto broadcast = [&](auto made) {
    made.auto_broadcast = op.auto_broadcast;
    made.auto_broadcast_axis = op.auto_broadcast_axis;
    return made;
  };
  const Value quotient = rw.create(broadcast(ops::Divide{.m_pythondiv = false}), a, b);
  const Value remainder = rw.create(broadcast(ops::Subtract{}), a, rw.create(broadcast(ops::Multiply{}), quotient, b));
  const Value zero = rw.scalar_like(a, 0);
  const Value is_below = rw.create(ops::Less{}, remainder, zero);
  const Value has_other_sign = rw.create(broadcast(ops::NotEqual{}), is_below, rw.fold(ops::Less{}, b, zero));
  const Value is_rounded_up = rw.create(ops::LogicalAnd{}, rw.create(ops::NotEqual{}, remainder, zero), has_other_sign);
  return rw.create(ops::Select{}, is_rounded_up, rw.create(ops::Subtract{}, quotient, rw.scalar_like(a, 1)), quotient);
}

}  // namespace

void register_integer_floor_division(PassRegistry& passes) {
  passes.add(avoid_fault("IntegerFloorDivision",
                         {.form = "Divide of signed integers with m_pythondiv, an operand of which may be negative",
                          .symptom = "the quotient is truncated",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Divide without m_pythondiv, less 1 where it was rounded up"})
                 .add(lowering<ops::Divide>("FloorOfIntegers", floor_division)));
}

}  // namespace mo::transformations
