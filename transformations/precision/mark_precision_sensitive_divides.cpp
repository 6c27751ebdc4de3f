#include "core/graph/shape_computations.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {

void register_mark_precision_sensitive_divides(PassRegistry& passes) {
  passes.offer(graph_pass("MarkPrecisionSensitiveDivides")
                   .described("Divide in the computation of a shape, an axis or a size",
                              "the same, marked so that ConvertDivide leaves it alone",
                              "between an input that ops declare as a shape and ShapeOf")
                   .looks_for<ops::Divide>()
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     const std::vector<std::uint8_t> shapes = shape_computations(graph);
                     bool changed = false;
                     for (const auto [node, divide] : graph.each<ops::Divide>()) {
                       if (!shapes[node.id().index] || has_mark(node, kKeptDivide) || context.skips(node)) continue;
                       node.set_rt_info(kKeptDivide);
                       changed = true;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
