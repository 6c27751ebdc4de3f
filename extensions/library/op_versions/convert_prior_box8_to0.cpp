#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/prior_box.hpp"

namespace mo::library::op_versions {

void register_convert_prior_box8_to0(PassLibrary& library) {
  library.add(
      rewrite("ConvertPriorBox8To0")
          .described("PriorBox.v8", "PriorBox.v0", "the box of the max size comes before those of other aspect ratios")
          .match(pattern::op<ops::v8::PriorBox>())
          .replace(
              of_op<ops::v8::PriorBox>([](const Node& node, const ops::v8::PriorBox& op, Rewriter& rw) -> Replacement {
                if (!op.min_max_aspect_ratios_order) return declined("another order of boxes");
                return back::on_same_inputs(node, rw, ops::v0::PriorBox(op));
              })));
}

}  // namespace mo::library::op_versions
