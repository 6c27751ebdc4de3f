#include "core/pass/library.hpp"

namespace mo::library::cleanup {

void register_fuse_filtering_boxes_by_size(PassLibrary& library) {
  library.add(pipeline("FuseFilteringBoxesBySize")
                  .described("boxes that are dropped when they are small", "all boxes")
                  .group("FuseFilteringBoxesBySize", {"SubtractFusion", "RemoveFilteringBoxesBySize"}));
}

}  // namespace mo::library::cleanup
