#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/activations.hpp"

namespace mo::library::op_versions {

void register_gelu7_downgrade(PassLibrary& library) {
  library.add(
      rewrite("Gelu7Downgrade")
          .described("Gelu.v7", "Gelu.v2; the way to approximate it is lost")
          .match(pattern::op<ops::v7::Gelu>())
          .replace(of_op<ops::v7::Gelu>([](const Node& node, const ops::v7::Gelu&, Rewriter& rw) -> Replacement {
            return back::on_same_inputs(node, rw, ops::v0::Gelu{});
          })));
}

}  // namespace mo::library::op_versions
