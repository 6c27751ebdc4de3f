#pragma once

#include <string_view>

namespace mo {

/// Version of this program, "1.2.3"; set by the build system.
std::string_view version();

}  // namespace mo
