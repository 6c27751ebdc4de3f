#pragma once

#include "core/pass/runner.hpp"
#include "graph_transforms/engine/grammar.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// Error MO-GTT-0001, with the nearest name.
Diagnostic unknown_transform(const std::string& name, const TransformRegistry& registry);

/// Applies transforms one after the other to a model as it is read.
///
/// `ignore_errors` (an argument of every transform, "true" or "false"): when the transform fails, the graph goes on as
/// it was before, and a warning says why (MO-GTT-0006). After each step every input has to have a producer
/// (MO-GTT-0005), and a node of --outputs that was there must still be there (MO-GTT-0007, unless `grammar` is the
/// original's).
class TransformRun : public PassRunner {
 public:
  explicit TransformRun(const TransformRegistry& registry, Grammar grammar = Grammar::lenient)
      : registry_(registry), grammar_(grammar) {}
  /// `context` gives feeds, fetches, services and sink; its arguments are those of each call. Errors: MO-GTT-0001 for
  /// an unknown transform, MO-GTT-0004 for `ignore_errors`, those of the transforms and of PassRunner; the graph is not
  /// to be used then.
  Expected<void> run(Graph& graph, const std::vector<TransformCall>& calls, const TransformFuncContext& context);

 private:
  const TransformRegistry& registry_;
  Grammar grammar_;
};

}  // namespace mo::graph_transforms
