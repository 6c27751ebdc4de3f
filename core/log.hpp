#pragma once

#include <fmt/core.h>

#include <string_view>

/// Logging for developers of mo (--log_level). What a user has to know is a Diagnostic instead.
namespace mo::log {

enum class Level { debug, info, warning, error, off };

/// CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG, NOTSET as the original tool spells them; anything else leaves the level alone and
/// returns false.
bool set_level(std::string_view name);
bool enabled(Level level);
void write(Level level, std::string_view text);

template <class... Args>
void debug(fmt::format_string<Args...> text, Args&&... args) {
  if (enabled(Level::debug)) write(Level::debug, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> text, Args&&... args) {
  if (enabled(Level::info)) write(Level::info, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mo::log
