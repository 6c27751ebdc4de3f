#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {

void register_eliminate_transpose(PassRegistry& passes) {
  const Pat transpose = pattern::op<ops::Transpose>();
  passes.offer(rewrite("EliminateTranspose")
                   .described("Transpose(x, [0, 1, …])", "x", "the order is a constant")
                   .match(transpose)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(transpose);
                     const auto order = constant_integers_of(node.input(1));
                     if (!order || order->empty())
                       return declined("the order is unknown, or turns the dimensions round");
                     for (std::size_t i = 0; i < order->size(); ++i)
                       if ((*order)[i] != static_cast<std::int64_t>(i)) return declined("dimensions change places");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
