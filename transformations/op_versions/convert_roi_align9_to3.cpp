#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_roi_align9_to3(PassRegistry& passes) {
  passes.offer(rewrite("ConvertROIAlign9To3")
                   .described("ROIAlign.v9", "ROIAlign.v3", "aligned_mode is asymmetric")
                   .match(pattern::op<ops::v9::ROIAlign>())
                   .replace(of_op<ops::v9::ROIAlign>(roi_align_of_opset3)));
}

}  // namespace mo::transformations
