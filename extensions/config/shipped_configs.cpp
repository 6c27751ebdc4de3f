#include "extensions/config/shipped_configs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/nearest.hpp"

namespace mo::config {

const ShippedConfig* find_shipped_config(std::string_view name) {
  constexpr std::string_view kEnding = ".json";
  for (const ShippedConfig& config : shipped_configs())
    if (config.name == name || config.name.substr(0, config.name.size() - kEnding.size()) == name) return &config;
  return nullptr;
}

Diagnostic unknown_config(std::string_view code, std::string_view name) {
  std::vector<std::string> known;
  for (const ShippedConfig& config : shipped_configs()) known.emplace_back(config.name);
  const std::string near = nearest(name, known, name.size() / 2);
  return error(code, "there is no built-in configuration \"{}\"{}", name,
               near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near))
      .hint("built in are {}", fmt::join(known, ", "));
}

}  // namespace mo::config
