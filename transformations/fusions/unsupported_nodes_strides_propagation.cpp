#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "transformations/fusions/support/pixel_strides.hpp"

namespace mo::transformations {

/// Runs after the two others in one traversal: what they took on is no longer among the readers.
void register_unsupported_nodes_strides_propagation(PassRegistry& passes) {
  passes.offer(rewrite("UnsupportedNodesStridesPropagation")
                   .order(RuleOrder::backward)
                   .described("any op -> strides on their way", "any op -> MaxPool of 1x1 that stays",
                              "what the other rules of StridesOptimization leave")
                   .match(pattern::any())
                   .replace([](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.root().node();
                     bool settled = false;
                     for (const OutPort& port : node.out_ports())
                       for (const InPort& reader : port.get_destinations())
                         if (const Node pool = reader.node(); is_moving_pool(pool)) {
                           settle_pool(pool);
                           settled = true;
                         }
                     return settled ? changed_in_place(node) : declined("no stride on its way among the readers");
                   }));
}

}  // namespace mo::transformations
