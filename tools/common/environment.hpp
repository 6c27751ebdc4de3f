#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// The first of these environment variables that is set and not empty.
std::optional<std::string> environment(std::initializer_list<const char*> names);

/// As nGraph reads switches: 1, true, on or 0, false, off in any case; unset or empty: `otherwise`. Error MO-OPT-0004
/// for anything else.
Expected<bool> environment_flag(std::initializer_list<const char*> names, bool otherwise = false);

/// A whole number in C's notations. Error MO-OPT-0004 for anything else.
Expected<std::int64_t> environment_number(std::initializer_list<const char*> names, std::int64_t otherwise);

}  // namespace mo::tools
