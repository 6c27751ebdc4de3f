#include "core/pass/library.hpp"
#include "extensions/library/support/static_suppression.hpp"
#include "ops/matrix_nms.hpp"

namespace mo::library::op_versions {

void register_convert_multiclass_nms_to_multiclass_nms_ie(PassLibrary& library) {
  library.add(rewrite("ConvertMulticlassNmsToMulticlassNmsIE")
                  .described("MulticlassNms.v8",
                             "NmsStaticShapeIE_MulticlassNms, an op of OpenVINO's plugins, with indices of i32; "
                             "converted to i64 where requested")
                  .match(pattern::op<ops::v8::MulticlassNms>())
                  .replace(of_op<ops::v8::MulticlassNms>([](const Node& node, const ops::v8::MulticlassNms&,
                                                            Rewriter& rw) { return with_static_shape(node, rw); })));
}

}  // namespace mo::library::op_versions
