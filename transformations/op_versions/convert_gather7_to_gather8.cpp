#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_gather7_to_gather8(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertGather7ToGather8")
          .described("Gather.v7", "Gather.v8")
          .match(pattern::op<ops::v7::Gather>())
          .replace(of_op<ops::v7::Gather>([](const Node& node, const ops::v7::Gather& op, Rewriter& rw) -> Replacement {
            return on_same_inputs(node, rw, ops::v8::Gather{.batch_dims = op.batch_dims});
          })));
}

}  // namespace mo::transformations
