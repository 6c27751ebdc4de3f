#include "core/rewrite.hpp"
#include "ops/build/lengths.hpp"
#include "ops/length_of.hpp"

namespace mo::transformations {

/// LengthOf -> a constant where the shape tells it, else Gather(ShapeOf).
void register_known_lengths(PassRegistry& passes) {
  passes.add(front_replacement_op("LengthOf")
                 .named("KnownLengths")
                 .phase(Phase::middle)
                 .run_after({"ResizeRounding"})
                 .run_before({"ConstantFolding"})
                 .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
                   if (const Tensor* value = node.output().data().value()) return rw.constant(*value);
                   return build::length_along(rw, node.input(0), node.as<ops::LengthOf>()->axis);
                 }));
}

}  // namespace mo::transformations
