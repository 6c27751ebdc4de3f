#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/gather.hpp"

namespace mo::library::op_versions {

void register_convert_gather7_to_gather8(PassLibrary& library) {
  library.add(
      rewrite("ConvertGather7ToGather8")
          .described("Gather.v7", "Gather.v8")
          .match(pattern::op<ops::v7::Gather>())
          .replace(of_op<ops::v7::Gather>([](const Node& node, const ops::v7::Gather& op, Rewriter& rw) -> Replacement {
            return back::on_same_inputs(node, rw, ops::v8::Gather{.batch_dims = op.batch_dims});
          })));
}

}  // namespace mo::library::op_versions
