#pragma once

#include "core/support/stopwatch.hpp"
#include "graph_transforms/engine/pipeline.hpp"

namespace mo::tools {

/// Logs which transform is applied; with `is_wanted` prints to stdout what each did: nodes, bytes of constants and ops
/// before and after, and the time.
class StepReport final : public graph_transforms::PipelineObserver {
 public:
  explicit StepReport(bool is_wanted) : is_wanted_(is_wanted) {}
  /// What follows happens to an inner graph of that name; "": to the model's own.
  void in_graph(const std::string& name) { graph_ = name; }
  void before(const graph_transforms::TransformCall& call, const Graph& graph) override;
  void after(const graph_transforms::TransformCall& call, const Graph& graph) override;

 private:
  struct Content {
    std::size_t nodes = 0;
    std::uint64_t bytes = 0;
    std::map<std::string, std::int64_t, std::less<>> ops;
  };
  static Content content_of(const Graph& graph);

  bool is_wanted_;
  std::string graph_;
  Content before_;
  Stopwatch watch_;
};

}  // namespace mo::tools
