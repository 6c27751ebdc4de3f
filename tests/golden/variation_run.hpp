#pragma once

#include <string>

namespace mo::test {

/// Varies the cases of library passes and of fusions that change a graph (variation.hpp), and runs the passes on them.
/// What they leave unchanged
/// ("misses") or make compute something else ("differs") is compared with `list`, which has a line "FILE VARIATION
/// OUTCOME: number of cases" for each that is known. Prints what is not as listed. `update`: writes the list. Returns
/// the exit code.
int run_variations(const std::string& tests, const std::string& list, bool update);

}  // namespace mo::test
