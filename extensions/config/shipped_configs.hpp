#pragma once

#include <span>
#include <string_view>

#include "core/diagnostics/diagnostic.hpp"

namespace mo::config {

/// A configuration that comes with `mo` (extensions/configs/*.json, linked in): `--transformations_config
/// ssd_v2_support.json` needs no path.
struct ShippedConfig {
  std::string_view name;  ///< "ssd_v2_support.json"
  std::string_view text;
};

/// By name.
std::span<const ShippedConfig> shipped_configs();

/// The one called `name`, with or without ".json"; null when there is none.
const ShippedConfig* find_shipped_config(std::string_view name);

/// That there is no configuration `name`: the nearest one and the list of all.
Diagnostic unknown_config(std::string_view code, std::string_view name);

}  // namespace mo::config
