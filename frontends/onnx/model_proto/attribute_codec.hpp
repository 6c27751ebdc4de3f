#pragma once

#include <string>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/encoding.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// An AttributeProto of a model that is only rewritten.
struct NamedAttribute {
  std::string name;
  AttributeValue value;
  /// The AttributeProto in the file; empty when `encode_attribute` gives just that.
  Tensor spelling;
};

/// FLOAT, INT, STRING, TENSOR, FLOATS, INTS and STRINGS become values; everything else, and tensors that cannot be read, {@wire: records}. Errors: MO-ONNX-0020
/// (no name, or one of ours), MO-PB-*, MO-IO-0003.
Expected<NamedAttribute> decode_attribute(frontends::WireSource& source, TensorReader& tensors, const frontends::WireField& message);

/// Appends the fields of the AttributeProto. Error MO-ONNX-0061 for a value that none can hold.
Expected<void> encode_attribute(std::string_view name, const AttributeValue& value, frontends::Encoding& out);

/// Appends the fields of a TensorProto, elements as raw data. Error MO-ONNX-0061 for a type that ONNX does not have.
Expected<void> encode_tensor(std::string_view name, const Tensor& tensor, frontends::Encoding& out);

/// Appends the fields of a ValueInfoProto of a tensor.
void encode_value_info(std::string_view name, const TensorType& type, frontends::Encoding& out);

}  // namespace mo::onnx
