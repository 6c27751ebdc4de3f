#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/split.hpp"

namespace mo::transformations {

void register_eliminate_split(PassRegistry& passes) {
  const Pat split = pattern::op<ops::Split>();
  passes.offer(rewrite("EliminateSplit")
                   .described("Split(x), one part", "x")
                   .match(split)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(split);
                     if (node.as<ops::Split>()->num_splits != 1) return declined("it has several parts");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
