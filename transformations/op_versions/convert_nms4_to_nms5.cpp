#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/support/suppression.hpp"

namespace mo::transformations {

void register_convert_nms4_to_nms5(PassRegistry& passes) {
  passes.offer(rewrite("ConvertNMS4ToNMS5")
                   .described("NonMaxSuppression.v4",
                              "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                   .match(pattern::op<ops::v4::NonMaxSuppression>())
                   .replace(of_op<ops::v4::NonMaxSuppression>(suppressed_by_opset5<ops::v4::NonMaxSuppression>)));
}

}  // namespace mo::transformations
