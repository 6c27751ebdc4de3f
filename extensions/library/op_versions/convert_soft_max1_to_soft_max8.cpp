#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/soft_max.hpp"

namespace mo::library::op_versions {

void register_convert_soft_max1_to_soft_max8(PassLibrary& library) {
  library.add(rewrite("ConvertSoftMax1ToSoftMax8")
                  .described("SoftMax.v1", "SoftMax.v8")
                  .match(pattern::op<ops::v1::SoftMax>())
                  .replace(of_op<ops::v1::SoftMax>(
                      [](const Node& node, const ops::v1::SoftMax& op, Rewriter& rw) -> Replacement {
                        return back::on_same_inputs(node, rw, ops::v8::SoftMax{.axis = op.axis});
                      })));
}

}  // namespace mo::library::op_versions
