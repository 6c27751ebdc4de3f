#pragma once

#include <functional>

#include "core/diagnostics/expected.hpp"

namespace mo::plugins {

/// Calls `fn` in a copy of this process, which then ends: what ends the process
/// there (a crash, an exception that leaves an initialiser of a library,
/// `exit`) is error MO-PLUGIN-0017 here. What `fn` changes or gives back is
/// lost, what it prints is not seen.
///
/// A copy of a process with several threads could wait for ever for a lock:
/// then, and when no copy can be made, nothing is tried.
Expected<void> try_in_copy(const std::function<void()>& fn);

}  // namespace mo::plugins
