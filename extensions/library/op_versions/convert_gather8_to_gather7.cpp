#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/gather.hpp"

namespace mo::library::op_versions {

void register_convert_gather8_to_gather7(PassLibrary& library) {
  library.add(
      rewrite("ConvertGather8ToGather7")
          .described("Gather.v8", "Gather.v7")
          .match(pattern::op<ops::v8::Gather>())
          .replace(of_op<ops::v8::Gather>([](const Node& node, const ops::v8::Gather& op, Rewriter& rw) -> Replacement {
            return back::on_same_inputs(node, rw, ops::v7::Gather{op});
          })));
}

}  // namespace mo::library::op_versions
