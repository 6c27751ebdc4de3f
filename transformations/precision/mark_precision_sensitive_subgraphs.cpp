#include "core/graph/shape_computations.hpp"
#include "core/registry/pass_registry.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {

void register_mark_precision_sensitive_subgraphs(PassRegistry& passes) {
  passes.offer(graph_pass("MarkPrecisionSensitiveSubgraphs")
                   .described("a constant of floating-point values in the computation of a shape, an axis or a size",
                              "the same, marked so that CompressFloatConstants leaves it alone",
                              "between an input that ops declare as a shape and ShapeOf")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     const std::vector<std::uint8_t> shapes = shape_computations(graph);
                     bool changed = false;
                     for (const auto [node, constant] : graph.each<Const>()) {
                       if (!shapes[node.id().index] || !is_real(constant.value.element_type()) ||
                           has_mark(node, kNoHalfCompression) || context.skips(node))
                         continue;
                       node.set_rt_info(kNoHalfCompression);
                       changed = true;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
