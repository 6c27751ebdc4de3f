#include "core/support/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace mo {

std::size_t usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails where there are more processors than the set has bits for.
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace mo
