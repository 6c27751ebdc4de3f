#include "driver/version.hpp"

// CMake passes the project's version; a build without CMake (an editor's, a linter's) is not a release.
#ifndef MO_VERSION
#define MO_VERSION "0.0.0-unversioned"
#endif

namespace mo {

std::string_view version() { return MO_VERSION; }

}  // namespace mo
