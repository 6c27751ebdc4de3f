#pragma once

#include <cstdint>

namespace mo {

/// Bytes of memory that this process had at most so far; 0 when the system does not say.
std::uint64_t peak_memory();

}  // namespace mo
