#pragma once

#include <string>
#include <vector>

#include "core/files/file.hpp"

namespace mo::frontends {

/// Names of the first files in a zip archive, from its central directory (PKWARE's APPNOTE, 4.3.12), of which at most
/// 64 KB are read. Empty when there is none or it is corrupt.
std::vector<std::string> names_in_zip(const File& file);

}  // namespace mo::frontends
