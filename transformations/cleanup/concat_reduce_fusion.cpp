#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_concat_reduce_fusion(PassRegistry& passes) {
  passes.offer(pipeline("ConcatReduceFusion")
                   .described("ReduceMin(Concat(Unsqueeze(a), Unsqueeze(b)))", "Minimum(a, b)")
                   .group("ConcatReduceFusion",
                          {"ReplaceConcatReduceByMinOrMax", "PullSqueezeThroughEltwise", "EliminateSqueeze"}));
}

}  // namespace mo::transformations
