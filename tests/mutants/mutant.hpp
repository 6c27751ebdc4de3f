#pragma once

#include <cstdlib>

// Included before every file of the build that tests/mutants/run.py makes, and nowhere else.

/// Whether the environment has chosen mutant `number`.
inline bool mo_mutant(int number) {
  static const int chosen = [] {
    const char* text = std::getenv("MO_MUTANT");
    return text ? std::atoi(text) : 0;
  }();
  return number == chosen;
}
