#pragma once

#include <map>
#include <set>
#include <string>

#include "core/pass/pass.hpp"

namespace mo::test {

/// What a pass did to the graph of a case, for tests/lint/pass_coverage.py: from the graphs themselves, so that no case
/// can claim to be what it is not. Silent unless MO_GOLDEN_COVERAGE names the file that the facts go to.
class Coverage {
 public:
  /// The case whose passes run next, "file:line".
  static void begin_case(std::string place);
  static bool wanted();

  /// Looks at a graph that `pass` is about to run on.
  explicit Coverage(const Graph& graph);
  /// Writes a line: pass, what came of it (hit, kept, error, told: only said something), the case, "body" when the pass
  /// made a body what it was not, "unknown" when inputs have unknown dimensions or rank, the ops that were there, and
  /// the ops of which fewer are left; tabs between, "-" for nothing.
  void record(const Pass& pass, const Graph& after, bool changed) const;
  void record_outcome(const Pass& pass, std::string_view outcome) const;

 private:
  struct Facts {
    std::map<std::string, int> ops;
    std::set<std::string> bodies;
    bool unknown_shapes = false;
  };
  static Facts look_at(const Graph& graph);
  void write(const Pass& pass, std::string_view outcome, bool body, const std::set<std::string>& fewer) const;
  Facts before_;
};

}  // namespace mo::test
