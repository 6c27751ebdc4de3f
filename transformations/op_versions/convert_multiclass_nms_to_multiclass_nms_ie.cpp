#include "core/registry/pass_registry.hpp"
#include "ops/matrix_nms.hpp"
#include "transformations/op_versions/support/static_suppression.hpp"

namespace mo::transformations {

void register_convert_multiclass_nms_to_multiclass_nms_ie(PassRegistry& passes) {
  passes.offer(rewrite("ConvertMulticlassNmsToMulticlassNmsIE")
                   .described("MulticlassNms.v8",
                              "NmsStaticShapeIE_MulticlassNms, an op of OpenVINO's plugins, with indices of i32; "
                              "converted to i64 where requested")
                   .match(pattern::op<ops::v8::MulticlassNms>())
                   .replace(of_op<ops::v8::MulticlassNms>([](const Node& node, const ops::v8::MulticlassNms&,
                                                             Rewriter& rw) { return with_static_shape(node, rw); })));
}

}  // namespace mo::transformations
