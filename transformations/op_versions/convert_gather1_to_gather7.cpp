#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_gather1_to_gather7(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertGather1ToGather7")
          .described("Gather.v1", "Gather.v7 with batch_dims 0")
          .match(pattern::op<ops::v1::Gather>())
          .replace(of_op<ops::v1::Gather>([](const Node& node, const ops::v1::Gather&, Rewriter& rw) -> Replacement {
            return on_same_inputs(node, rw, ops::v7::Gather{});
          })));
}

}  // namespace mo::transformations
