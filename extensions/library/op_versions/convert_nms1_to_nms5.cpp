#include "core/pass/library.hpp"
#include "extensions/library/support/suppression.hpp"

namespace mo::library::op_versions {

void register_convert_nms1_to_nms5(PassLibrary& library) {
  library.add(rewrite("ConvertNMS1ToNMS5")
                  .described("NonMaxSuppression.v1",
                             "NonMaxSuppression.v5, all inputs given; boxes that are not there take no room")
                  .match(pattern::op<ops::v1::NonMaxSuppression>())
                  .replace(of_op<ops::v1::NonMaxSuppression>(suppressed_by_opset5<ops::v1::NonMaxSuppression>)));
}

}  // namespace mo::library::op_versions
