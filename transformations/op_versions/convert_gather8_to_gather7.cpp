#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_gather8_to_gather7(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertGather8ToGather7")
          .described("Gather.v8", "Gather.v7")
          .match(pattern::op<ops::v8::Gather>())
          .replace(of_op<ops::v8::Gather>([](const Node& node, const ops::v8::Gather& op, Rewriter& rw) -> Replacement {
            return on_same_inputs(node, rw, ops::v7::Gather{op});
          })));
}

}  // namespace mo::transformations
