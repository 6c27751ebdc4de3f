#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_fuse_filtering_boxes_by_size(PassRegistry& passes) {
  passes.offer(pipeline("FuseFilteringBoxesBySize")
                   .described("boxes that are dropped when they are small", "all boxes")
                   .group("FuseFilteringBoxesBySize", {"SubtractFusion", "RemoveFilteringBoxesBySize"}));
}

}  // namespace mo::transformations
