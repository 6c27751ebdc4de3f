#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/support/suppression.hpp"

namespace mo::transformations {

void register_convert_nms3_to_nms5(PassRegistry& passes) {
  passes.offer(rewrite("ConvertNMS3ToNMS5")
                   .described("NonMaxSuppression.v3",
                              "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                   .match(pattern::op<ops::v3::NonMaxSuppression>())
                   .replace(of_op<ops::v3::NonMaxSuppression>(suppressed_by_opset5<ops::v3::NonMaxSuppression>)));
}

}  // namespace mo::transformations
