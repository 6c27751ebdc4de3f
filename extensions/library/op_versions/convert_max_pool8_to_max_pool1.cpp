#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/pooling.hpp"

namespace mo::library::op_versions {

void register_convert_max_pool8_to_max_pool1(PassLibrary& library) {
  library.add(rewrite("ConvertMaxPool8ToMaxPool1")
                  .described("MaxPool.v8", "MaxPool.v1", "nobody reads the indices, and nothing is dilated")
                  .match(pattern::op<ops::v8::MaxPool>())
                  .replace(of_op<ops::v8::MaxPool>([](const Node& node, const ops::v8::MaxPool& op, Rewriter& rw) -> Replacement {
                    if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) return declined("the indices are read");
                    for (const std::int64_t dilation : op.dilations)
                      if (dilation != 1) return declined("the window is dilated");
                    return Outputs{rw.create(ops::v1::MaxPool{op, op.rounding_type}, node.input(0)), Value()};
                  })));
}

}  // namespace mo::library::op_versions
