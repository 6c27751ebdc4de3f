#include <map>

#include "core/pass/elimination.hpp"
#include "core/rewrite.hpp"
#include "ops/shape_of.hpp"

namespace mo::transformations {

void register_shared_shape_of(PassRegistry& passes) {
  passes.offer(graph_pass("SharedShapeOf")
                   .described("several ShapeOf(x)", "the first one", "same type of the result")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     if (!graph.has_op("ShapeOf")) return false;
                     MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
                     std::map<std::pair<ValueId, ElementType>, Node> first;
                     Rewriter rw(graph);
                     for (const Node& node : order) {
                       if (!node.is<ops::v0::ShapeOf>() && !node.is<ops::v3::ShapeOf>()) continue;
                       const auto [it, is_first] =
                           first.try_emplace({node.input(0).id(), node.output_type().element_type}, node);
                       if (is_first || context.skips(node)) continue;
                       if (const Replacement same = bypass(node, it->second.output()); !same.is_declined())
                         rw.replace(node, same.outputs());
                     }
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
