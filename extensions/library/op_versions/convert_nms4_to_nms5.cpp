#include "core/pass/library.hpp"
#include "extensions/library/support/suppression.hpp"

namespace mo::library::op_versions {

void register_convert_nms4_to_nms5(PassLibrary& library) {
  library.add(rewrite("ConvertNMS4ToNMS5")
                  .described("NonMaxSuppression.v4",
                             "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                  .match(pattern::op<ops::v4::NonMaxSuppression>())
                  .replace(of_op<ops::v4::NonMaxSuppression>(suppressed_by_opset5<ops::v4::NonMaxSuppression>)));
}

}  // namespace mo::library::op_versions
