#pragma once

#include <string>
#include <vector>

#include "core/pass/library.hpp"

namespace mo::tools {

/// One line for each transformation: name, and what it makes of what.
std::string list_of_passes(const PassLibrary& library, bool as_json);

/// Everything that is known of these: forms, conditions, settings, the steps of pipelines, where they are part of.
/// Error MO-PASS-0011.
Expected<std::string> description_of(const PassLibrary& library, const std::vector<std::string>& names, bool as_json);

}  // namespace mo::tools
