#pragma once

#include <string>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// A NodeProto of a model that is only rewritten.
struct NodeParts {
  std::string op;  ///< "Relu", "com.microsoft.Gelu"; Const for a Constant whose value is a tensor or can be one
  std::vector<std::string> inputs;  ///< names of tensors; empty for those that are left out
  std::vector<std::string> outputs;
  AttributeMap attributes;  ///< with what else the message says, under the names of keys.hpp
};

/// Errors: MO-ONNX-0019 (too many inputs or outputs), MO-ONNX-0020 (attributes), MO-ONNX-0017 (graphs that are nested
/// too deeply), MO-PB-*, MO-IO-0003.
Expected<NodeParts> read_node_parts(frontends::WireSource& source, TensorReader& tensors,
                                    const frontends::WireField& message);

/// The first name that is not empty: that of the node.
std::string first_name(const std::vector<std::string>& outputs);

}  // namespace mo::onnx
