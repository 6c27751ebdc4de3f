#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"

namespace mo::library::op_versions {

void register_convert_roi_align9_to3(PassLibrary& library) {
  library.add(rewrite("ConvertROIAlign9To3")
                  .described("ROIAlign.v9", "ROIAlign.v3", "aligned_mode is asymmetric")
                  .match(pattern::op<ops::v9::ROIAlign>())
                  .replace(of_op<ops::v9::ROIAlign>(back::roi_align_of_opset3)));
}

}  // namespace mo::library::op_versions
