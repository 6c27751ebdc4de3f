#include "core/pass/library.hpp"
#include "extensions/library/support/suppression.hpp"

namespace mo::library::op_versions {

void register_convert_nms3_to_nms5(PassLibrary& library) {
  library.add(rewrite("ConvertNMS3ToNMS5")
                  .described("NonMaxSuppression.v3",
                             "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                  .match(pattern::op<ops::v3::NonMaxSuppression>())
                  .replace(of_op<ops::v3::NonMaxSuppression>(suppressed_by_opset5<ops::v3::NonMaxSuppression>)));
}

}  // namespace mo::library::op_versions
