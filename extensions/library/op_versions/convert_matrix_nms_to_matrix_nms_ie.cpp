#include "core/pass/library.hpp"
#include "extensions/library/support/static_suppression.hpp"
#include "ops/matrix_nms.hpp"

namespace mo::library::op_versions {

void register_convert_matrix_nms_to_matrix_nms_ie(PassLibrary& library) {
  library.add(rewrite("ConvertMatrixNmsToMatrixNmsIE")
                  .described("MatrixNms",
                             "NmsStaticShapeIE_MatrixNms, an op of OpenVINO's plugins, with indices of i32; converted "
                             "to i64 where requested")
                  .match(pattern::op<ops::MatrixNms>())
                  .replace(of_op<ops::MatrixNms>([](const Node& node, const ops::MatrixNms&, Rewriter& rw) {
                    return with_static_shape(node, rw);
                  })));
}

}  // namespace mo::library::op_versions
