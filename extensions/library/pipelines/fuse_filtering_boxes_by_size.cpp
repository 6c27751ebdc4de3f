#include "core/pass/library.hpp"

namespace mo::library::pipelines {

void register_fuse_filtering_boxes_by_size(PassLibrary& library) {
  library.add(pipeline("FuseFilteringBoxesBySize")
                  .described("the filter of boxes by their size that exporters of Mask R-CNN write", "all boxes")
                  .group("FuseFilteringBoxesBySize", {"SubtractFusion", "RemoveFilteringBoxesBySize"})
                  .build());
}

}  // namespace mo::library::pipelines
