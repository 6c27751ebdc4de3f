#pragma once

#include <fmt/core.h>

#include <string_view>

/// The log for people who work on mo or on a plugin (--log_level), on stderr. What every user has to know is a
/// Diagnostic instead.
///
/// info: one line for each step of a conversion. debug: what the steps are made of, passes above all. Nothing is
/// formatted below the level that is set, which is `error` at first; where arguments cost something to find out, ask
/// `enabled` before.
namespace mo::log {

enum class Level { debug, info, warning, error, off };

/// CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG, NOTSET as the original tool spells them; anything else leaves the level
/// alone and returns false.
bool set_level(std::string_view name);
bool enabled(Level level);
/// A line: "[ INFO ]  text"; from level DEBUG on "[ time ] [ INFO ]  text".
void write(Level level, std::string_view text);
/// Text that was asked for by another option (--dump-after), as it stands, whatever the level is.
void write_plain(std::string_view text);

template <class... Args>
void debug(fmt::format_string<Args...> text, Args&&... args) {
  if (enabled(Level::debug)) write(Level::debug, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> text, Args&&... args) {
  if (enabled(Level::info)) write(Level::info, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mo::log
