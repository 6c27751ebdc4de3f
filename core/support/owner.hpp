#pragma once

#include <string>

namespace mo {

/// The owner of what is linked in.
inline constexpr const char* kBuiltIn = "mo";

/// Who contributes what is added next: mo itself, or a plugin by its name.
struct Owner {
  std::string name = kBuiltIn;
  bool overrides = false;  ///< takes the place of built-ins; never of what another plugin brought

  bool is_plugin() const { return name != kBuiltIn; }
  bool may_replace(const std::string& other) const { return overrides && is_plugin() && other == kBuiltIn; }
};

}  // namespace mo
