#include "core/rewrite.hpp"
#include "ops/build/conditional.hpp"
#include "ops/if.hpp"

namespace mo::transformations {

void register_unroll_if(PassRegistry& passes) {
  const Pat conditional = pattern::op<ops::If>();
  passes.offer(rewrite("UnrollIf")
                   .described("If(condition, …)", "the body that the condition takes", "the condition is known")
                   .match(conditional)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(conditional);
                     const auto condition = build::known_condition(node);
                     if (!condition) return declined("the condition is unknown");
                     auto outputs = build::inline_branch(rw, node, *condition);
                     return outputs ? Replacement(*std::move(outputs)) : Replacement(std::move(outputs).error());
                   }));
}

}  // namespace mo::transformations
