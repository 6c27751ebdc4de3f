#pragma once

#include <string_view>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/encoding.hpp"

/// Messages of ONNX models, for all that write them. Elements of tensors are copied when the message is written.
namespace mo::onnx {

/// Appends the fields of an AttributeProto; {@wire: records} as they stand. Error MO-ONNX-0061 for a value that none
/// can hold.
Expected<void> encode_attribute(std::string_view name, const AttributeValue& value, frontends::Encoding& out);

/// Appends the fields of a TensorProto, elements as raw data. Error MO-ONNX-0061 for a type that ONNX does not have.
Expected<void> encode_tensor(std::string_view name, const Tensor& tensor, frontends::Encoding& out);

/// What becomes of unknown dimensions that are known to be equal.
enum class Symbols {
  dropped,
  named,  ///< d1, d2 …: the model has no other names
};
/// Appends the fields of a ValueInfoProto of a tensor.
void encode_value_info(std::string_view name, const TensorType& type, frontends::Encoding& out,
                       Symbols symbols = Symbols::dropped);

}  // namespace mo::onnx
