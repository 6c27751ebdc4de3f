#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_strides_optimization(PassRegistry& passes) {
  passes.offer(pipeline("StridesOptimization")
                   .described("Convolution {strides=1} -> elementwise ops -> Convolution of 1x1 {strides=s}",
                              "the stride in the first Convolution",
                              "readers before what they read; what no convolution takes becomes a MaxPool of 1x1")
                   .group("StridesOptimization", {"ConvStridesPropagation", "SupportedNodesStridesPropagation",
                                                  "UnsupportedNodesStridesPropagation"}));
}

}  // namespace mo::transformations
