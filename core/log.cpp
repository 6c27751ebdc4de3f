#include "core/log.hpp"

#ifndef SPDLOG_FMT_EXTERNAL
#define SPDLOG_FMT_EXTERNAL
#endif
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <atomic>
#include <utility>

namespace mo::log {
namespace {

std::atomic<Level> current = Level::error;

/// Made on first use: most runs log nothing.
spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("mo", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_level(spdlog::level::trace);
    made.set_pattern("[ %Y-%m-%d %H:%M:%S.%e ] [ %l ]  %v");
    return made;
  }();
  return instance;
}

}  // namespace

bool set_level(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Level>, 7> kNames = {{{"CRITICAL", Level::off},
                                                                                {"ERROR", Level::error},
                                                                                {"WARN", Level::warning},
                                                                                {"WARNING", Level::warning},
                                                                                {"INFO", Level::info},
                                                                                {"DEBUG", Level::debug},
                                                                                {"NOTSET", Level::debug}}};
  for (const auto& [text, level] : kNames)
    if (text == name) {
      current = level;
      return true;
    }
  return false;
}

bool enabled(Level level) { return level >= current; }

void write(Level level, std::string_view text) {
  static constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err, spdlog::level::off};
  if (enabled(level)) logger().log(kLevels[static_cast<std::size_t>(level)], text);
}

}  // namespace mo::log
