#include "core/pass/library.hpp"
#include "extensions/library/support/channel_analysis.hpp"

namespace mo::library::offline {

void register_init_masks(PassLibrary& library) {
  library.add(graph_pass("InitMasks")
                  .described("Convolution, ConvolutionBackpropData, MatMul with constant weights",
                             "the same, marked with the channels that the weights make zero", "first step of Pruning")
                  .run([](Graph& graph, PassContext&) -> Expected<bool> {
                    ChannelAnalysis analysis(graph);
                    bool changed = false;
                    for (const Node node : graph.nodes()) {
                      std::vector<std::int64_t> zero = analysis.zero_channels(node);
                      if (zero.empty()) continue;
                      AttributeMap mask;
                      mask.set("zero", std::move(zero));
                      const AttributeMap* const info = node.rt_info();
                      const AttributeValue* const known = info ? info->find(kChannelMask) : nullptr;
                      if (known && known->map() && *known->map() == mask) continue;
                      node.set_rt_info(kChannelMask, std::move(mask));
                      changed = true;
                    }
                    return changed;
                  }));
}

}  // namespace mo::library::offline
