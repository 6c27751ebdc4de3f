#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/convert.hpp"

namespace mo::back {
namespace {

/// op(a, b) of bytes -> mod(op(a, b), 256) of 32-bit integers, as bytes; signed ones are shifted by 128 before and behind mod.
template <class T>
Replacement in_32_bits(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (type != ElementType::i8 && type != ElementType::u8) return declined("not bytes");
  const auto wide = [&](const Value& x) { return rw.fold(ops::Convert{.destination_type = ElementType::i32}, x); };
  Value result = rw.create(*node.as<T>(), wide(node.input(0)), wide(node.input(1)));
  const Value lowest = rw.scalar_like(result, 128);
  if (type == ElementType::i8) result = rw.create(ops::Add{}, result, lowest);
  result = rw.create(ops::FloorMod{}, result, rw.scalar_like(result, 256));
  if (type == ElementType::i8) result = rw.create(ops::Subtract{}, result, lowest);
  return rw.create(ops::Convert{.destination_type = type}, result);
}

}  // namespace

void register_bytes_that_wrap(PassRegistry& passes) {
  passes.add(avoid_fault("BytesThatWrap", {.form = "Add, Subtract and Multiply of i8 or u8",
                                           .symptom = "results out of range become the largest or smallest number; in 2021.4 they keep their value",
                                           .first = "2021.4",
                                           .last = "latest",
                                           .replacement = "the same op of i32, FloorMod by 256"})
                 .add(lowering<ops::Add>("Add", in_32_bits<ops::Add>))
                 .add(lowering<ops::Subtract>("Subtract", in_32_bits<ops::Subtract>))
                 .add(lowering<ops::Multiply>("Multiply", in_32_bits<ops::Multiply>)));
}

}  // namespace mo::back
