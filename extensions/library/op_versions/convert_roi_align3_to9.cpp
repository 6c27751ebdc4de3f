#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/roi_align.hpp"

namespace mo::library::op_versions {

void register_convert_roi_align3_to9(PassLibrary& library) {
  library.add(rewrite("ConvertROIAlign3To9")
                  .described("ROIAlign.v3", "ROIAlign.v9 with aligned_mode asymmetric")
                  .match(pattern::op<ops::v3::ROIAlign>())
                  .replace(of_op<ops::v3::ROIAlign>(
                      [](const Node& node, const ops::v3::ROIAlign& op, Rewriter& rw) -> Replacement {
                        return back::on_same_inputs(node, rw, ops::v9::ROIAlign{op});
                      })));
}

}  // namespace mo::library::op_versions
