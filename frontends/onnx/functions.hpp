#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/common/hash_map.hpp"

namespace mo::onnx {

/// A function that a model defines for itself: a sub-graph under the name of an operator.
struct Function {
  std::string op;  ///< as its calls are named: "local::Attention"
  std::string overload;
  frontends::HashSet<std::string> attributes;  ///< the names of all attributes
  AttributeMap defaults;                       ///< those that have one
  /// Parameters and Results in the order of inputs and outputs
  std::unique_ptr<Graph> body;

  std::string shown() const { return overload.empty() ? op : op + ":" + overload; }
};

/// The functions of one model.
class FunctionLibrary {
 public:
  /// Error MO-ONNX-0040: there is one of that name already.
  Expected<void> add(Function function);
  bool empty() const { return functions_.empty(); }
  std::size_t size() const { return functions_.size(); }
  const Function& operator[](std::size_t i) const { return functions_[i]; }
  /// Index of the function that `node` calls; -1 when it is an operator.
  std::ptrdiff_t find(const Node& node) const;

 private:
  std::vector<Function> functions_;
  frontends::HashMap<std::string, std::size_t> index_;
};

/// Replaces every call of a function by the function's nodes, in `graph` and in all bodies, until no call is left.
/// Inner names get the name of the call in front: "<call>/<inner>".
///
/// ONNX IR: a function hides an operator of the same name; an attribute that refers to one of the function is dropped
/// when the call does not give it and it has no default. Errors: MO-ONNX-0041 (recursion), MO-ONNX-0042 (depth),
/// MO-ONNX-0043 (too many nodes), MO-ONNX-0044 (number of inputs or outputs), MO-ONNX-0045 (graph given as attribute),
/// MO-ONNX-0047 (absent output).
Expected<void> inline_functions(Graph& graph, const FunctionLibrary& functions, DiagnosticSink& sink);

}  // namespace mo::onnx
