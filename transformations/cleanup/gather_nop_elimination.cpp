#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {

void register_gather_nop_elimination(PassRegistry& passes) {
  const Pat gather = any_gather();
  passes.offer(rewrite("GatherNopElimination")
                   .described("Gather(x, [0, 1, …, n - 1])", "x",
                              "static shapes; n is the size of x along the axis, and at most 10")
                   .match(gather)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     constexpr std::int64_t kMost = 10;  // a longer list does not hold dimensions
                     const Node node = m.node(gather);
                     const auto shape = node.input_type(0).shape.to_shape();
                     if (!shape || shape->empty() || node.output_type().shape.to_shape() != shape)
                       return declined("it changes the shape, or that is unknown");
                     const auto axis = gather_axis(node);
                     if (!axis) return declined("the axis is unknown");
                     const std::int64_t size = (*shape)[static_cast<std::size_t>(*axis)];
                     if (size > kMost || !takes_all(node.input(1), size))
                       return declined("it does not take all in their order, or too many");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
