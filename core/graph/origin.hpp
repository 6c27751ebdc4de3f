#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace mo {

/// Where a node comes from: an operator of a framework, or a part of its model that is not an operator. Empty for nodes
/// that a pass created without a source. Names are views into the graph (or wherever the caller keeps them).
struct Origin {
  std::string_view framework;  ///< title: "ONNX", "TensorFlow", "Caffe"
  std::string_view op;         ///< as the framework writes it, with the domain when there is one: "Softmax",
                               ///< "com.microsoft.Gelu"; empty for parts
  std::int64_t version = 0;    ///< operator-set version; 0 where operators have none
  std::string_view part = {};  ///< instead of `op`: "graph input", "initializer"
  bool derived = false;        ///< a pass or a translator made the node of the operator
  /// Of an input of the model: what its layer is called in the IR. Of a Result: what the layer before it is
  /// called, the key of the output in API 1.0. Empty: as the node.
  std::string_view public_name = {};

  bool empty() const { return framework.empty(); }
  Origin as_derived() const {
    Origin made = *this;
    made.derived = true;
    return made;
  }
  /// "ONNX Softmax, opset 11", "ONNX graph input": for messages.
  std::string label() const;
  auto operator<=>(const Origin&) const = default;
};

}  // namespace mo
