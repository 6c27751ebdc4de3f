#pragma once

#include <string>

#include "core/pass/library.hpp"
#include "driver/options.hpp"

namespace mo::tools {

/// The library of transformations, and below it whatever the framework and the plugins of the options registered: a name means the library's first.
/// Errors: of plugins, of what is registered wrongly.
Expected<PassLibrary> library_for(const Options& options, const std::string& framework);

}  // namespace mo::tools
