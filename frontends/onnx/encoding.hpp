#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/encoding.hpp"

/// Messages of ONNX models, for all that write them. Elements of tensors are copied when the message is written.
namespace mo::onnx {

/// Appends the fields of an AttributeProto; {@wire: records} as they stand. Error MO-ONNX-0061 for a value that none
/// can hold.
Expected<void> encode_attribute(std::string_view name, const AttributeValue& value, frontends::Encoding& out);

/// Appends a StringStringEntryProto: of metadata and of external data.
void encode_entry(std::uint32_t field, std::string_view key, std::string_view value, frontends::Encoding& out);

/// Where the bytes of a tensor lie in a file beside the model (ONNX external data).
struct ExternalPlace {
  std::string_view location;  ///< relative to the folder of the model
  std::uint64_t offset = 0;
};
/// Appends the fields of a TensorProto, elements as raw data, or as external data where there is a place. Error
/// MO-ONNX-0061 for a type that ONNX does not have.
Expected<void> encode_tensor(std::string_view name, const Tensor& tensor, frontends::Encoding& out,
                             const ExternalPlace* place = nullptr);

/// Returns the name of an unknown dimension that is known to be equal to others (dim_param); empty for none.
using DimensionNamer = std::function<std::string(Dimension::Symbol symbol)>;
/// Appends the fields of a ValueInfoProto of a tensor. Without `name_of`, unknown dimensions have no names.
void encode_value_info(std::string_view name, const TensorType& type, frontends::Encoding& out,
                       const DimensionNamer& name_of = {});

}  // namespace mo::onnx
