#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"

namespace mo::transformations {

void register_eliminate_concat(PassRegistry& passes) {
  const Pat concat = pattern::op<ops::Concat>();
  passes.offer(rewrite("EliminateConcat")
                   .described("Concat(x)", "x")
                   .match(concat)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(concat);
                     if (node.in_port_count() != 1) return declined("it has several inputs");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
