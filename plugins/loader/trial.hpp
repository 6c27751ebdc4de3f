#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::plugins {

/// Calls `fn` in a copy of this process, which then ends: what ends the process there (a crash, an exception that
/// leaves an initialiser of a library, `exit` and `_exit` with any code) is error MO-PLUGIN-0017 here. Gives back what
/// `fn` returned, up to 16 MB; what else it changes is lost, what it prints is not seen.
///
/// A copy of a process with several threads could wait for ever for a lock: then, and when no copy can be made, nothing
/// is tried and nothing given.
Expected<std::optional<std::string>> try_in_copy(const std::function<std::string()>& fn);

}  // namespace mo::plugins
