#include "core/pass/library.hpp"
#include "extensions/library/support/channel_analysis.hpp"

namespace mo::library::offline {

void register_init_masks(PassLibrary& library) {
  library.add(graph_pass("InitMasks")
                  .described("Convolution, ConvolutionBackpropData, MatMul with constant weights",
                             "the same, marked with the channels that are zero because of the weights",
                             "first step of Pruning")
                  .asks_nodes()
                  .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                    ChannelAnalysis analysis(graph);
                    for (const Node node : graph.nodes()) {
                      std::vector<std::int64_t> zero = analysis.zero_channels(node);
                      if (zero.empty() || context.skips(node)) continue;
                      AttributeMap mask;
                      mask.set("zero", std::move(zero));
                      node.set_rt_info(kChannelMask, std::move(mask));
                    }
                    return false;  // marks are no change of the model
                  }));
}

}  // namespace mo::library::offline
