#include "core/registry/pass_registry.hpp"
#include "ops/matrix_nms.hpp"
#include "transformations/op_versions/support/static_suppression.hpp"

namespace mo::transformations {

void register_convert_matrix_nms_to_matrix_nms_ie(PassRegistry& passes) {
  passes.offer(rewrite("ConvertMatrixNmsToMatrixNmsIE")
                   .described("MatrixNms",
                              "NmsStaticShapeIE_MatrixNms, an op of OpenVINO's plugins, with indices of i32; converted "
                              "to i64 where requested")
                   .match(pattern::op<ops::MatrixNms>())
                   .replace(of_op<ops::MatrixNms>([](const Node& node, const ops::MatrixNms&, Rewriter& rw) {
                     return with_static_shape(node, rw);
                   })));
}

}  // namespace mo::transformations
