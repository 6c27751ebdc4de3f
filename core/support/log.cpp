#include "core/support/log.hpp"

#ifndef SPDLOG_FMT_EXTERNAL
#define SPDLOG_FMT_EXTERNAL
#endif
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <atomic>
#include <utility>

#include "core/support/printable.hpp"

namespace mo::log {
namespace {

std::atomic<Level> current = Level::error;

/// "INFO" instead of "info", as the original has it: flag %* of the pattern.
class UpperLevel final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    for (const char c : spdlog::level::to_string_view(message.level))
      to.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<UpperLevel>(); }
};

spdlog::logger make_logger(std::string pattern, std::string line_end) {
  spdlog::logger made("mo", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  made.set_level(spdlog::level::trace);
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::local, std::move(line_end));
  formatter->add_flag<UpperLevel>('*').set_pattern(std::move(pattern));
  made.set_formatter(std::move(formatter));
  return made;
}

// Made on first use: most runs log nothing.

spdlog::logger& logger() {
  static spdlog::logger instance = make_logger("[ %* ]  %v", "\n");
  return instance;
}

spdlog::logger& logger_with_time() {
  static spdlog::logger instance = make_logger("[ %Y-%m-%d %H:%M:%S.%e ] [ %* ]  %v", "\n");
  return instance;
}

spdlog::logger& plain_logger() {
  static spdlog::logger instance = make_logger("%v", "");
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

bool enabled(Level level) { return level >= current.load(std::memory_order_relaxed); }

void write(Level level, std::string_view text) {
  static constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                         spdlog::level::err, spdlog::level::off};
  if (!enabled(level)) return;
  spdlog::logger& to = enabled(Level::debug) ? logger_with_time() : logger();
  to.log(kLevels[static_cast<std::size_t>(level)], printable(text));
}

void write_plain(std::string_view text) { plain_logger().log(spdlog::level::info, printable(text)); }

}  // namespace mo::log
