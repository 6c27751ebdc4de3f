#pragma once

#include <string_view>

#include "core/diagnostics/diagnostic.hpp"

namespace mo {

/// Inside of a catch block: the exception as an error. A Misuse is MO-PLUGIN-0031 where code of a plugin runs
/// (PluginCode), else MO-PASS-0030; anything else is MO-PLUGIN-0020. Code of plugins runs inside calls of ours, which
/// let no exception pass. Lack of memory passes on: the conversion reports it.
[[nodiscard]] Diagnostic caught_exception(std::string_view thrower);

}  // namespace mo
