#include "core/pass/library.hpp"

namespace mo::library::cleanup {

void register_concat_reduce_fusion(PassLibrary& library) {
  library.add(pipeline("ConcatReduceFusion")
                  .described("ReduceMin(Concat(Unsqueeze(a), Unsqueeze(b)))", "Minimum(a, b)")
                  .group("ConcatReduceFusion",
                         {"ReplaceConcatReduceByMinOrMax", "PullSqueezeThroughEltwise", "EliminateSqueeze"}));
}

}  // namespace mo::library::cleanup
