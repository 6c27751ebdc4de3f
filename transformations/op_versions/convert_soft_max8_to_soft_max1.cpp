#include "core/registry/pass_registry.hpp"
#include "ops/soft_max.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_soft_max8_to_soft_max1(PassRegistry& passes) {
  passes.offer(rewrite("ConvertSoftMax8ToSoftMax1")
                   .described("SoftMax.v8", "SoftMax.v1 with an axis counted from the front", "the rank is known")
                   .match(pattern::op<ops::v8::SoftMax>())
                   .replace(of_op<ops::v8::SoftMax>(
                       [](const Node& node, const ops::v8::SoftMax& op, Rewriter& rw) -> Replacement {
                         const auto rank = node.input_type(0).rank();
                         const auto axis = rank ? normalize_axis(op.axis, *rank) : std::nullopt;
                         if (!axis) return declined("the rank is unknown");
                         return on_same_inputs(node, rw, ops::v1::SoftMax{.axis = *axis});
                       })));
}

}  // namespace mo::transformations
