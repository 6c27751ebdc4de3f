#include "core/registry/pass_registry.hpp"
#include "ops/activations.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_gelu7_downgrade(PassRegistry& passes) {
  passes.offer(
      rewrite("Gelu7Downgrade")
          .described("Gelu.v7", "Gelu.v2; the way to approximate it is lost")
          .match(pattern::op<ops::v7::Gelu>())
          .replace(of_op<ops::v7::Gelu>([](const Node& node, const ops::v7::Gelu&, Rewriter& rw) -> Replacement {
            return on_same_inputs(node, rw, ops::v0::Gelu{});
          })));
}

}  // namespace mo::transformations
