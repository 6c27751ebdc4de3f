#pragma once

#include <string_view>

namespace mo::cli {

/// An option that some release of the original, or its successor, has, and `mo` has not.
struct FormerOption {
  std::string_view name;  ///< without "--", normalized (option_table.hpp)
  bool has_value = false;
  std::string_view instead;  ///< what to do today: the hint of MO-CLI-0001
};

/// The one called `name` (normalized), or nullptr.
const FormerOption* find_former_option(std::string_view name);

}  // namespace mo::cli
