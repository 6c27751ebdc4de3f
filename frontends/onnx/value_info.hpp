#pragma once

#include <string>

#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

/// A ValueInfoProto: a named input or output of a graph.
struct ValueInfo {
  std::string name;
  TensorType type;
  /// Why no Parameter can stand for it ("a sequence", "a tensor of COMPLEX64"); empty for a tensor.
  std::string problem;
  /// a sequence or an optional value: the body of a Loop may take one, which its translator knows how to do without
  bool holds_tensors = false;
};

/// Errors: MO-ONNX-0023 (dimension), MO-PB-*.
Expected<ValueInfo> read_value_info(ModelState& model, const frontends::WireField& message);

/// A TypeProto as a record: {kind="tensor", element_type, shape} or {kind="sequence", element=…}; for attributes.
/// Errors: as read_value_info, and MO-ONNX-0024 (nested too deeply).
Expected<AttributeMap> read_type_record(ModelState& model, const frontends::WireField& message, int depth = 0);

}  // namespace mo::onnx
