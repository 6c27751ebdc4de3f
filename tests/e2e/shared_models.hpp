#pragma once

#include <cstdlib>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::test {

/// The folder of models that are too large for the repository.
inline std::string shared_models() {
  const char* root = std::getenv("MO_SHARED");
  return (root ? std::string(root) : std::string(MO_SOURCE_DIR "/../shared")) + "/models";
}

inline std::string text_of(const Error& error) {
  std::string text;
  for (const Diagnostic& d : error.items()) text += d.format() + "\n";
  return text;
}

}  // namespace mo::test
