#pragma once

#include <string_view>

namespace mo::cli {

/// The text of docs/errors.md, from when this program was built. It lies in the program and costs nothing until it is
/// read.
std::string_view error_pages();

}  // namespace mo::cli
