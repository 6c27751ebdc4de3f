#include "core/registry/pass_registry.hpp"
#include "transformations/offline/support/channel_analysis.hpp"

namespace mo::transformations {

void register_init_masks(PassRegistry& passes) {
  passes.offer(graph_pass("InitMasks")
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
                     return false;  // marks do not change the model
                   }));
}

}  // namespace mo::transformations
