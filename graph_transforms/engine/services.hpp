#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// What transforms ask of the framework whose graph they change; whoever runs them brings it.
class Services {
 public:
  virtual ~Services() = default;

  /// Whether nodes of this op can be computed at all.
  virtual bool can_evaluate(std::string_view op) const = 0;
  /// The values of tensors that depend on constants only; nothing for those that cannot be computed, with the reason in `why_not`.
  virtual std::vector<std::optional<Tensor>> evaluate(const std::vector<Value>& values, std::vector<Diagnostic>& why_not) const = 0;
  /// The shape of each tensor as far as shape inference finds it out; unknown rank for those that it does not reach.
  virtual std::vector<PartialShape> shapes_of(const std::vector<Value>& values) const = 0;
  /// The value of a variable that a checkpoint has under `key`, or the slice of it that RestoreV2 describes ("4 1 0,2:0,1"); empty: all of it. Errors: those of
  /// reading checkpoints.
  virtual Expected<Tensor> variable(const std::string& checkpoint, const std::string& key, const std::string& slice) const = 0;
  /// Puts the nodes of a function of the graph's library into the graph, with `prefix` before their names, and gives what it returns. An error when there
  /// is no such function, or it takes another number of arguments.
  virtual Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                                    const std::vector<Value>& arguments) const = 0;
};

}  // namespace mo::graph_transforms
