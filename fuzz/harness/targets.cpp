#include "fuzz/harness/targets.hpp"

#include <algorithm>

namespace mo::fuzz {

const Target* find_target(std::string_view name) {
  const auto found =
      std::find_if(targets().begin(), targets().end(), [&](const Target& target) { return target.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace mo::fuzz
