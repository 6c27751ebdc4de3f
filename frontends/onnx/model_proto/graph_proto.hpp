#pragma once

#include "core/graph/graph.hpp"
#include "frontends/common/encoding.hpp"

namespace mo::onnx {

/// A message that holds nodes inside of a model.
enum class InnerMessage {
  body,      ///< GraphProto of an attribute, which reads tensors of the graph around it
  function,  ///< FunctionProto
};

/// The graph of such a message, like that of a model; what it is given from outside is Placeholder, too. `opset`:
/// version of the default operators.
Expected<std::unique_ptr<Graph>> read_inner_message(const Tensor& bytes, InnerMessage kind, std::int64_t opset);
Expected<frontends::Encoding> encode_inner_message(const Graph& graph, InnerMessage kind);

}  // namespace mo::onnx
