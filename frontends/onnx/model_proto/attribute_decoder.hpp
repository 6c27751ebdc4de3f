#pragma once

#include <string>

#include "core/attributes/attribute_value.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// An AttributeProto of a model that is only rewritten.
struct NamedAttribute {
  std::string name;
  AttributeValue value;
  /// The AttributeProto in the file; empty when `encode_attribute` (frontends/onnx/encoding.hpp) gives just that.
  Tensor spelling;
};

/// FLOAT, INT, STRING, TENSOR, FLOATS, INTS and STRINGS become values; everything else, and tensors that cannot be
/// read, {@wire: records}. Errors: MO-ONNX-0020 (no name, or one of ours), MO-PB-*, MO-IO-0003.
Expected<NamedAttribute> decode_attribute(frontends::WireSource& source, TensorReader& tensors,
                                          const frontends::WireField& message);

}  // namespace mo::onnx
