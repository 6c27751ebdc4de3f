#include "core/support/peak_memory.hpp"

#include <sys/resource.h>

#include <cinttypes>
#include <cstdio>

namespace mo {

std::uint64_t peak_memory() {
  // Resource usage counts what the process had before it became this program, too: a copy of its parent.
  if (std::FILE* const status = std::fopen("/proc/self/status", "re")) {
    char line[256];
    std::uint64_t kilobytes = 0;
    while (kilobytes == 0 && std::fgets(line, sizeof line, status))
      if (std::sscanf(line, "VmHWM: %" SCNu64 " kB", &kilobytes) != 1) kilobytes = 0;
    std::fclose(status);
    if (kilobytes > 0) return kilobytes * 1024;
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace mo
