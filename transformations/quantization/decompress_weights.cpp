#include "core/graph/values.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {

/// CompressedWeights(x, scale, zero) -> (Convert(x) - Convert(zero)) * scale, without a scale of 1. Nothing is folded
/// any more in this phase. Runtimes of IR version 10 know no constants of 4 bits: they become 8 bits.
void register_decompress_weights(PassRegistry& passes) {
  passes.add(front_replacement_op("CompressedWeights")
                 .named("DecompressWeights")
                 .phase(Phase::back)
                 .replace_op([](const Node& node, Rewriter& rw, PassContext& context) -> Replacement {
                   const ElementType type = node.input_type(1).element_type;
                   if (type == ElementType::dynamic || !node.input(0) || !node.input(1)) return Replacement::declined();
                   const bool old = is_for_v10(rw.graph(), context);
                   const auto real = [&](Value x) {
                     const ElementType stored = x.type().element_type;
                     if (old && is_integral(stored) && bit_width(stored) < 8)
                       x = rw.fold(
                           ops::Convert{.destination_type = is_signed(stored) ? ElementType::i8 : ElementType::u8}, x);
                     return rw.create(ops::Convert{.destination_type = type}, x);
                   };
                   Value y = real(node.input(0));
                   if (node.input(2)) y = rw.create(ops::Subtract{}, y, real(node.input(2)));
                   // One number that is 1 neither changes the others nor, being of no higher rank, the shape.
                   const bool scales = single_real_of(node.input(1)) != 1.0 ||
                                       node.input_type(1).shape.rank() > node.input_type(0).shape.rank();
                   return scales ? rw.create(ops::Multiply{}, y, node.input(1)) : y;
                 }));
}

}  // namespace mo::transformations
