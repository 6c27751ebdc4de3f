#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_max_pool8_to_max_pool1(PassRegistry& passes) {
  passes.offer(rewrite("ConvertMaxPool8ToMaxPool1")
                   .described("MaxPool.v8", "MaxPool.v1", "nothing reads the indices, and nothing is dilated")
                   .match(pattern::op<ops::v8::MaxPool>())
                   .replace(of_op<ops::v8::MaxPool>(max_pool_of_opset1)));
}

}  // namespace mo::transformations
