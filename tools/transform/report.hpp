#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/pass/runner.hpp"

namespace mo::tools {

/// Logs which transform is applied; with `is_wanted` prints to stdout what each did: nodes, bytes of constants and ops
/// before and after, and the time.
class StepReport {
 public:
  explicit StepReport(bool is_wanted) : is_wanted_(is_wanted) {}
  /// Reports what `run` does; this outlives it.
  void watch(PassRunner& run);
  /// What follows happens to an inner graph of that name; "": to the model's own.
  void in_graph(const std::string& name) { graph_ = name; }

 private:
  struct Content {
    std::size_t nodes = 0;
    std::uint64_t bytes = 0;
    std::map<std::string, std::int64_t, std::less<>> ops;
  };
  static Content content_of(const Graph& graph);
  void before(const Pass& pass, const Graph& graph);
  void after(const PassEvent& event) const;

  bool is_wanted_;
  std::string graph_;
  Content before_;
};

}  // namespace mo::tools
