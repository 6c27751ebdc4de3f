#pragma once

namespace mo {

/// Prints "this is a bug in mo" with the place, and ends the process. Never reached by what a user can cause.
[[noreturn]] void assertion_failed(const char* condition, const char* message, const char* file, int line);

}  // namespace mo

/// For what only we can cause. What a user can cause is an Expected.
#define MO_ASSERT(condition, message) \
  ((condition) ? static_cast<void>(0) : ::mo::assertion_failed(#condition, message, __FILE__, __LINE__))
