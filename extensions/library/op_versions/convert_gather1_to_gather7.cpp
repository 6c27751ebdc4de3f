#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/gather.hpp"

namespace mo::library::op_versions {

void register_convert_gather1_to_gather7(PassLibrary& library) {
  library.add(
      rewrite("ConvertGather1ToGather7")
          .described("Gather.v1", "Gather.v7 with batch_dims 0")
          .match(pattern::op<ops::v1::Gather>())
          .replace(of_op<ops::v1::Gather>([](const Node& node, const ops::v1::Gather&, Rewriter& rw) -> Replacement {
            return back::on_same_inputs(node, rw, ops::v7::Gather{});
          })));
}

}  // namespace mo::library::op_versions
