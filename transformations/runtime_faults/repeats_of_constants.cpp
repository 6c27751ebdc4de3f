#include "ops/convert.hpp"
#include "ops/tile.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Tile(constant, repeats) -> Tile of repeats in 64 bits.
Replacement repeats_of_64_bits(const Node& node, Rewriter& rw) {
  const auto is_stored = [](const Value& x) {
    return x.data().value() || (x.node().is<ops::Convert>() && x.node().input(0).data().value());
  };
  if (node.input_type(1).element_type != ElementType::i32 || !is_stored(node.input(0)))
    return declined("the data is computed, or the repeats are not i32");
  return rw.create(ops::Tile{}, node.input(0),
                   rw.fold(ops::Convert{.destination_type = ElementType::i64}, node.input(1)));
}

}  // namespace

void register_repeats_of_constants(PassRegistry& passes) {
  passes.add(avoid_fault("RepeatsOfConstants",
                         {.form = "Tile of a constant by repeats of i32",
                          .symptom = "not read when the repeats are known: read_vector type must match Tensor type",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Tile by repeats of i64"})
                 .add(lowering<ops::Tile>("RepeatsOf64Bits", repeats_of_64_bits)));
}

}  // namespace mo::transformations
