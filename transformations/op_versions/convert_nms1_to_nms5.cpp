#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/support/suppression.hpp"

namespace mo::transformations {

void register_convert_nms1_to_nms5(PassRegistry& passes) {
  passes.offer(rewrite("ConvertNMS1ToNMS5")
                   .described("NonMaxSuppression.v1",
                              "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                   .match(pattern::op<ops::v1::NonMaxSuppression>())
                   .replace(of_op<ops::v1::NonMaxSuppression>(suppressed_by_opset5<ops::v1::NonMaxSuppression>)));
}

}  // namespace mo::transformations
