#pragma once

#include <map>
#include <string>

#include "driver/options.hpp"

namespace mo::tools {

/// Where the nodes of a model in protobuf text stand: name -> "file:line". The first place counts, for a name that
/// occurs again. Empty for models in other formats.
std::map<std::string, std::string, std::less<>> places_of_names(const Options& options);

}  // namespace mo::tools
