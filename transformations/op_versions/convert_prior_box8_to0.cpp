#include "core/registry/pass_registry.hpp"
#include "ops/prior_box.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_prior_box8_to0(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertPriorBox8To0")
          .described("PriorBox.v8", "PriorBox.v0", "the box of the max size comes before those of other aspect ratios")
          .match(pattern::op<ops::v8::PriorBox>())
          .replace(
              of_op<ops::v8::PriorBox>([](const Node& node, const ops::v8::PriorBox& op, Rewriter& rw) -> Replacement {
                if (!op.min_max_aspect_ratios_order) return declined("another order of boxes");
                return on_same_inputs(node, rw, ops::v0::PriorBox(op));
              })));
}

}  // namespace mo::transformations
