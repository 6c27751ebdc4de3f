#pragma once

#include "graph_transforms/engine/grammar.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// Is told what a step begins with and what came of it; for logs and reports.
struct PipelineObserver {
  virtual ~PipelineObserver() = default;
  virtual void before(const TransformCall& call, const Graph& graph) = 0;
  virtual void after(const TransformCall& call, const Graph& graph) = 0;
};

/// Error MO-GTT-0001, with the nearest name.
Diagnostic unknown_transform(const std::string& name, const TransformRegistry& registry);

/// Applies the transforms one after the other. `context` gives feeds, fetches, services and sink; its arguments are
/// those of each call.
///
/// `ignore_errors` (an argument of every transform, "true" or "false"): when the transform fails, the graph goes on as
/// it was before, and a warning says why (MO-GTT-0006). After each step every input has to have a producer
/// (MO-GTT-0005), and a node of --outputs that was there must still be there (MO-GTT-0007, unless `grammar` is the
/// original's). Errors: MO-GTT-0001 for an unknown transform, MO-GTT-0004 for `ignore_errors`, those of the transforms;
/// the graph is not to be used then.
Expected<void> run_pipeline(Graph& graph, const std::vector<TransformCall>& calls, const TransformRegistry& registry,
                            const TransformFuncContext& context, Grammar grammar = Grammar::lenient,
                            PipelineObserver* observer = nullptr);

}  // namespace mo::graph_transforms
