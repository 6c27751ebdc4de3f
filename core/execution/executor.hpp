#pragma once

#include <functional>

#include "core/graph/graph.hpp"
#include "core/op/kernel_table.hpp"

namespace mo {

/// A node that was executed.
struct ExecutionStep {
  Node node;
  double seconds = 0;
  std::uint64_t output_bytes = 0;
  /// of all tensors that were in memory while it ran, each buffer once; inputs of the model included
  std::uint64_t live_bytes = 0;
};

struct ExecutorOptions {
  const KernelTable* kernels = nullptr;
  /// Inputs must fit what the Parameters declare. A body takes what its owner gives: its declarations are what was
  /// known when it was inferred.
  bool check_inputs = true;
  /// Is shown each tensor that a node of the graph (not of its bodies) computes, before anyone reads it, and may put
  /// another one in its place; an error ends the run. None: there is no observer.
  std::function<Expected<void>(const Value&, Tensor&)> on_tensor = {};
  /// Is told of each node of the graph when it is done, but not of constants, which are loaded when they are first
  /// read. None: nothing is measured.
  std::function<void(const ExecutionStep&)> on_step = {};
};

/// Runs a graph: `inputs` in the order of its Parameters, results in the order of its Results. Topological, frees a
/// tensor when its last reader is done, and loads constants when the first one comes: memory holds what is live.
/// Errors: MO-EXEC-0001 (an op that cannot be evaluated), MO-EXEC-0002 (an input does not fit its Parameter), and those
/// of the ops.
Expected<std::vector<Tensor>> execute(const Graph& graph, const std::vector<Tensor>& inputs,
                                      const ExecutorOptions& options = {});

}  // namespace mo
