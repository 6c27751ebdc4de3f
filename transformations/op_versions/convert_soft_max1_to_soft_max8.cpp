#include "core/registry/pass_registry.hpp"
#include "ops/soft_max.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_soft_max1_to_soft_max8(PassRegistry& passes) {
  passes.offer(rewrite("ConvertSoftMax1ToSoftMax8")
                   .described("SoftMax.v1", "SoftMax.v8")
                   .match(pattern::op<ops::v1::SoftMax>())
                   .replace(of_op<ops::v1::SoftMax>(
                       [](const Node& node, const ops::v1::SoftMax& op, Rewriter& rw) -> Replacement {
                         return on_same_inputs(node, rw, ops::v8::SoftMax{.axis = op.axis});
                       })));
}

}  // namespace mo::transformations
