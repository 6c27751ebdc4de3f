#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"

namespace mo::library::op_versions {

void register_convert_max_pool8_to_max_pool1(PassLibrary& library) {
  library.add(rewrite("ConvertMaxPool8ToMaxPool1")
                  .described("MaxPool.v8", "MaxPool.v1", "nothing reads the indices, and nothing is dilated")
                  .match(pattern::op<ops::v8::MaxPool>())
                  .replace(of_op<ops::v8::MaxPool>(back::max_pool_of_opset1)));
}

}  // namespace mo::library::op_versions
