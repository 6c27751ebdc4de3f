#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::test {

/// One `--- …` section of a case.
struct Section {
  std::string kind;      ///< "graph", "unchanged", "error", "infer", "value", "evaluate"
  std::string argument;  ///< what follows the kind on its line
  std::string body;
  int line = 0;
};

/// One case of a `.test` file (docs/text_form.md).
struct Case {
  std::string title;
  std::string graph;
  std::vector<Section> sections;
  int line = 0;
};

struct TestFile {
  std::string path;
  std::vector<std::string> passes;  ///< `# passes: A, B`
  /// `# numbers: change, because …`: the passes compute something else by design, which the numeric oracle would take
  /// for a fault.
  bool numbers_change = false;
  /// `# runtimes: refuse, because …`: no runtime has these ops, or forms of them; IRs of them are not kept for the
  /// checker.
  bool runtimes_refuse = false;
  std::vector<Case> cases;
};

/// How many cases of passes the numeric oracle has compared before and after, and how many it could not run.
struct OracleCount {
  int compared = 0;
  int skipped = 0;
  std::string why_skipped;  ///< what was in the way in the last of those
  int in_bodies = 0;        ///< how many of all cases gave the same as the branch of an If
};
OracleCount& oracle();

/// Reads a file; ends the process with a message when it cannot be read, since nothing can be tested then.
TestFile read_test_file(const std::string& path);

/// Runs the passes of a file, with the settings of the case, on a graph that has types. Says whether one of them
/// changed it.
Expected<bool> run_passes(const TestFile& file, const Case& test, Graph& graph);

/// The reasons why a case fails, one per line; empty when it passes.
std::string run_case(const TestFile& file, const Case& test);

}  // namespace mo::test
