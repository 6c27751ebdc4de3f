#pragma once

#include <span>
#include <string_view>

namespace mo {

/// What docs/errors.d says about exit codes; the file that defines it is made by cmake/mo_exit_codes.cmake.
struct DeclaredExitCode {
  std::string_view prefix;  ///< a whole code, or an area that ends with '-'
  int exit_code;
};

/// In the order of the prefixes.
std::span<const DeclaredExitCode> declared_exit_codes();

}  // namespace mo
