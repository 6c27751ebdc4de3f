#include "extensions/config/shipped_configs.hpp"

namespace mo::config {

const ShippedConfig* find_shipped_config(std::string_view name) {
  constexpr std::string_view kEnding = ".json";
  for (const ShippedConfig& config : shipped_configs())
    if (config.name == name || config.name.substr(0, config.name.size() - kEnding.size()) == name) return &config;
  return nullptr;
}

}  // namespace mo::config
