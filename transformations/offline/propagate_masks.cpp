#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/registry/pass_registry.hpp"
#include "transformations/offline/support/channel_analysis.hpp"

namespace mo::transformations {
namespace {

bool has_masks(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (const AttributeMap* const info = node.rt_info(); info && info->find(kChannelMask)) return true;
  return false;
}

/// Masks by node: which channels go from each axis of its output.
std::map<NodeId, AttributeMap> removable_masks(ChannelGroups& groups) {
  std::map<NodeId, AttributeMap> masks;
  for (auto& [axis, channels] : groups.removable())
    masks[axis->value.node().id()].set(fmt::format("axis_{}", axis->axis), channels);
  return masks;
}

}  // namespace

void register_propagate_masks(PassRegistry& passes) {
  passes.offer(
      graph_pass("PropagateMasks")
          .described("what InitMasks marked",
                     "each node that computes with these channels, marked with those that can go",
                     "no result of the model changes: a channel is removed if it is zero wherever it is summed "
                     "up, and every reader of it treats channels one by one; second step of Pruning")
          .whole_graph("a channel is removed from all nodes that have it")
          .run([](Graph& graph, PassContext&) -> Expected<bool> {
            if (!has_masks(graph)) return false;
            ChannelAnalysis analysis(graph);
            MO_TRY(analysis.run());
            std::map<NodeId, AttributeMap> masks = removable_masks(analysis.groups());
            bool changed = false;
            for (const Node node : graph.nodes()) {
              const AttributeMap* const info = node.rt_info();
              const AttributeValue* const known = info ? info->find(kChannelMask) : nullptr;
              AttributeMap& mask = masks[node.id()];
              if (known && known->map())
                if (const AttributeValue* const zero = known->map()->find("zero")) mask.set("zero", *zero);
              if (known ? known->map() && *known->map() == mask : mask.empty()) continue;
              node.set_rt_info(kChannelMask, std::move(mask));
              changed = true;
            }
            return changed;
          }));
}

}  // namespace mo::transformations
