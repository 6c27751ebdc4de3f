#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {

void register_eliminate_unsqueeze_gather(PassRegistry& passes) {
  const Pat gather = any_gather();
  passes.offer(rewrite("EliminateUnsqueezeGather")
                   .described("Gather(Unsqueeze(x, axis), 0, axis)", "x",
                              "one reader of the Unsqueeze, one axis; the index is a scalar")
                   .match(gather)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(gather);
                     const Value between = node.input(0);
                     if (!between.node().is<ops::Unsqueeze>() || !between.has_one_destination())
                       return declined("no Unsqueeze without other readers before it");
                     // A vector of one index keeps the dimension: x has another rank then.
                     const auto index = constant_integers_of(node.input(1));
                     if (!index || node.input_type(1).rank() != 0 || (index->front() != 0 && index->front() != -1))
                       return declined("not the index 0");
                     const auto taken = gather_axis(node);
                     const auto axes = constant_integers_of(between.node().input(1));
                     if (!taken || !axes || axes->size() != 1) return declined("axes are unknown");
                     const auto rank = between.type().rank();
                     const auto added = rank ? normalize_axis(axes->front(), *rank) : std::optional(axes->front());
                     if (added != taken) return declined("other axes");
                     return bypass(node, between.node().input(0));
                   }));
}

}  // namespace mo::transformations
