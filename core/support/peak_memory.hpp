#pragma once

#include <cstdint>

namespace mo {

/// Bytes of memory that this program had at most so far, without what the process was before it ran the program; 0 when
/// the system does not say.
std::uint64_t peak_memory();

}  // namespace mo
