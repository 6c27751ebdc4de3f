#pragma once

#include <cstdint>

namespace mo {

/// Another number whenever some graph of the process is made, goes, or becomes or stops being the body of a node: as
/// long as it stays, every list of bodies does. Safe to call from any thread.
std::uint64_t body_changes();

}  // namespace mo
