#include "core/pass/library.hpp"
#include "extensions/back/same_inputs.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/roi_align.hpp"

namespace mo::library::op_versions {

void register_convert_roi_align9_to3(PassLibrary& library) {
  library.add(rewrite("ConvertROIAlign9To3")
                  .described("ROIAlign.v9", "ROIAlign.v3", "aligned_mode is asymmetric")
                  .match(pattern::op<ops::v9::ROIAlign>())
                  .replace(of_op<ops::v9::ROIAlign>([](const Node& node, const ops::v9::ROIAlign& op, Rewriter& rw) -> Replacement {
                    if (op.aligned_mode != ops::RoiAlignedMode::asymmetric) return declined("aligned_mode is not asymmetric");
                    return back::on_same_inputs(node, rw, ops::v3::ROIAlign(op));
                  })));
}

}  // namespace mo::library::op_versions
