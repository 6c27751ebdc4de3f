#pragma once

#include <string_view>

#include "core/diagnostics/diagnostic.hpp"

namespace mo {

/// Inside of a catch block: the exception as an error: MO-PASS-0030 for a Misuse, else MO-PLUGIN-0020. Code of plugins runs behind calls of ours, which let no exception pass.
/// Lack of memory goes on its way: whoever converts knows what to say about it.
[[nodiscard]] Diagnostic caught_exception(std::string_view thrower);

}  // namespace mo
