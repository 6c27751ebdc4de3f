#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/comparison/graph_comparison.hpp"
#include "core/pass/library.hpp"

namespace mo::test {

/// A folder with a graph before and after transformations of a library that others wrote: `before.xml`, `after.xml`,
/// `test.json`.
struct TransformationCase {
  std::string name;
  std::string folder;
  std::vector<PassStep> steps;
  std::vector<std::string> missing;  ///< transformations that the library does not have
  std::optional<std::string> reshaped_to;
  std::string settings;
  CompareOptions compare;
};

/// What became of a case.
struct Outcome {
  enum class Kind { equal, other_form, wrong, refused, missing };
  Kind kind = Kind::equal;
  std::string text;
};

/// Reads `test.json` of a folder; steps of transformations that the library lacks are left out and named.
TransformationCase read_case(const std::string& folder, const PassLibrary& library);

/// Runs the steps on `before`, compares with `after`. Graphs of another form are run on random inputs: other_form when
/// the numbers are the same.
Outcome run_case(const TransformationCase& test, const PassLibrary& library);

}  // namespace mo::test
