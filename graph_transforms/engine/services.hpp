#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// What transforms ask of the framework whose graph they change; the caller that runs them provides it.
class Services {
 public:
  virtual ~Services() = default;

  /// Whether such nodes can be computed at all.
  virtual bool can_evaluate(const Node& node) const = 0;
  /// The values of tensors that depend on constants only; nothing for those that cannot be computed, with the reason in
  /// `why_not`.
  virtual std::vector<std::optional<Tensor>> evaluate(const std::vector<Value>& values,
                                                      std::vector<Diagnostic>& why_not) const = 0;
  /// The shape of each tensor as far as shape inference finds it out; unknown rank for those that it does not reach.
  virtual std::vector<PartialShape> shapes_of(const std::vector<Value>& values) const = 0;
  /// The value of a variable that a checkpoint has under `key`, or the slice of it that RestoreV2 describes ("4 1
  /// 0,2:0,1"); empty: all of it. Errors: those of reading checkpoints.
  virtual Expected<Tensor> variable(const std::string& checkpoint, const std::string& key,
                                    const std::string& slice) const = 0;
  /// The version of the operators of the graph, where its framework counts them.
  virtual std::int64_t operator_version(const Graph& graph) const = 0;
  /// Tensors ("node", "node:1") that the model gives besides its outputs from now on; only where models say what they
  /// give. Those that a model cannot give, as their ranks are unknown, are left out and returned.
  virtual Expected<std::vector<std::string>> add_outputs(Graph& graph,
                                                         const std::vector<std::string>& references) const = 0;
  /// Puts the nodes of a function of the graph's library into the graph, with `prefix` before their names, and gives
  /// what it returns. An error when there is no such function, or it takes another number of arguments.
  virtual Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                                    const std::vector<Value>& arguments) const = 0;
};

}  // namespace mo::graph_transforms
