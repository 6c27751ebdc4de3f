#include "tests/support/builtins.hpp"

#include "driver/builtins.hpp"

namespace mo::test {

Registry& builtins() {
  static Registry registry = [] {
    Registry made;
    register_builtins(made);
    return made;
  }();
  return registry;
}

}  // namespace mo::test
