#include "fuzz/harness/ops.hpp"

#include "ops/register_all.hpp"

namespace mo::fuzz {

const OpRegistry& ops() {
  static const OpRegistry all = [] {
    OpRegistry registry;
    ops::register_all(registry);
    return registry;
  }();
  return all;
}

}  // namespace mo::fuzz
