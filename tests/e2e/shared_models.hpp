#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::test {

/// The folder of models that are too large for the repository.
inline std::string shared_models() {
  const char* root = std::getenv("MO_SHARED");
  return (root ? std::string(root) : std::string(MO_SOURCE_DIR "/../shared")) + "/models";
}

/// Whether tests that need these models are to be skipped. That there are none is a failure where MO_SHARED promises
/// them: a test that compares nothing must not look like one that passed.
inline bool skips_without(bool have_models) {
  EXPECT_TRUE(have_models || std::getenv("MO_SHARED") == nullptr)
      << "MO_SHARED is set, and there are no models at " << shared_models();
  return !have_models;
}

inline std::string text_of(const Error& error) {
  std::string text;
  for (const Diagnostic& d : error.items()) text += d.format() + "\n";
  return text;
}

}  // namespace mo::test
