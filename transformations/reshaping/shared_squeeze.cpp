#include <algorithm>
#include <map>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/squeeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// The constant axes, sorted, from the front where the rank is known.
std::optional<std::vector<std::int64_t>> axes_of(const Node& squeeze) {
  auto axes = constant_integers_of(squeeze.input(1));
  if (!axes) return std::nullopt;
  if (const auto rank = squeeze.input_type(0).rank()) return known_axes(squeeze.input(1), *rank);
  std::sort(axes->begin(), axes->end());
  return axes;
}

}  // namespace

void register_shared_squeeze(PassRegistry& passes) {
  passes.offer(graph_pass("SharedSqueeze")
                   .described("several Squeeze(x, axes)", "the first one", "equal constant axes")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     if (!graph.has_op("Squeeze")) return false;
                     MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
                     std::map<std::pair<ValueId, std::vector<std::int64_t>>, Node> first;
                     Rewriter rw(graph);
                     for (const Node& node : order) {
                       const auto axes = node.is<ops::Squeeze>() ? axes_of(node) : std::nullopt;
                       if (!axes) continue;
                       const auto [it, is_first] = first.try_emplace({node.input(0).id(), *axes}, node);
                       if (is_first || context.skips(node)) continue;
                       if (const Replacement same = bypass(node, it->second.output()); !same.is_declined())
                         rw.replace(node, same.outputs());
                     }
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
