#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/narrow_integers.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Where the results of Add, Subtract or Multiply are for operands in these ranges.
template <class T>
IntegerRange range_of_results(const IntegerRange& a, const IntegerRange& b) {
  if constexpr (std::is_same_v<T, ops::Add>) {
    return {a.lowest + b.lowest, a.highest + b.highest};
  } else if constexpr (std::is_same_v<T, ops::Subtract>) {
    return {a.lowest - b.highest, a.highest - b.lowest};
  } else {
    const auto [lowest, highest] =
        std::minmax({a.lowest * b.lowest, a.lowest * b.highest, a.highest * b.lowest, a.highest * b.highest});
    return {lowest, highest};
  }
}

/// op(a, b) of n bits -> mod(op(a, b), 2^n) of 32-bit integers, as integers of n bits; signed ones are shifted by 2^(n
/// - 1) before and after mod.
template <class T>
Replacement in_32_bits(const Node& node, Rewriter& rw) {
  const ElementType type = node.output_type().element_type;
  if (!is_narrow(type)) return declined("not integers of 8 or 16 bits");
  if (range_of_results<T>(range_of_integers(node.input(0)), range_of_integers(node.input(1)))
          .is_within(range_of_type(type)))
    return declined("no result is out of range");
  const auto wide = [&](const Value& x) { return rw.fold(ops::Convert{.destination_type = ElementType::i32}, x); };
  const Value result = rw.create(*node.as<T>(), wide(node.input(0)), wide(node.input(1)));
  return rw.create(ops::Convert{.destination_type = type}, low_bits(rw, result, type));
}

}  // namespace

void register_narrow_integers_that_wrap(PassRegistry& passes) {
  passes.add(avoid_fault("NarrowIntegersThatWrap",
                         {.form = "Add, Subtract and Multiply of integers of 8 or 16 bits",
                          .symptom = "results out of range become the largest or smallest value, or keep their value; "
                                     "before 2025.4 some chains of 16 bits are not compiled",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "the same op of i32, FloorMod by 256 or 65536"})
                 .add(lowering<ops::Add>("Add", in_32_bits<ops::Add>))
                 .add(lowering<ops::Subtract>("Subtract", in_32_bits<ops::Subtract>))
                 .add(lowering<ops::Multiply>("Multiply", in_32_bits<ops::Multiply>)));
}

}  // namespace mo::transformations
