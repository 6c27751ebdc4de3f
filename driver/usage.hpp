#pragma once

#include <set>
#include <string>

#include "core/graph/graph.hpp"
#include "core/pass/pass.hpp"

namespace mo {

/// What one conversion used of the drop-in files: for a build that has only these (docs/selective_build.md).
class Usage {
 public:
  /// `framework`: by its short name.
  explicit Usage(std::string framework) : framework_(std::move(framework)) {}

  /// Operators of the framework and ops that the graph has, in bodies as well.
  void see(Graph& graph);
  void pass_changed_something(const Pass& pass) { passes_.insert(pass.name); }

  /// Appends to the record what it does not say yet: a line `known FILE KIND NAME…` for everything that the drop-in
  /// files of this build register, and `used FILE KIND NAME…` for what the conversion used. Whatever runs at the same
  /// time only adds lines, so nothing is lost. Errors: MO-EMIT-0001, of reading; MO-CLI-0094, when this build has left
  /// something out itself.
  Expected<void> append_to(const std::string& path) const;

 private:
  std::string framework_;
  std::set<std::string, std::less<>> operators_;
  std::set<std::string, std::less<>> ops_;    ///< classes: "TopK-11"
  std::set<std::string, std::less<>> types_;  ///< "TopK"
  std::set<std::string, std::less<>> passes_;
};

}  // namespace mo
