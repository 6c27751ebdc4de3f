#include "core/registry/pass_registry.hpp"
#include "ops/roi_align.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_roi_align3_to9(PassRegistry& passes) {
  passes.offer(rewrite("ConvertROIAlign3To9")
                   .described("ROIAlign.v3", "ROIAlign.v9 with aligned_mode asymmetric")
                   .match(pattern::op<ops::v3::ROIAlign>())
                   .replace(of_op<ops::v3::ROIAlign>(
                       [](const Node& node, const ops::v3::ROIAlign& op, Rewriter& rw) -> Replacement {
                         return on_same_inputs(node, rw, ops::v9::ROIAlign{op});
                       })));
}

}  // namespace mo::transformations
