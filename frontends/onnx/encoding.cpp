#include "frontends/onnx/encoding.hpp"

#include "core/tensor/convert.hpp"
#include "frontends/common/field_record.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/common/kept_keys.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::Encoding;

namespace {

constexpr std::int64_t kExternal = 1;  ///< TensorProto.DataLocation

/// The fields that hold the value, and the kind. Nothing for a value that no attribute can hold.
std::optional<std::int64_t> encode_value(const AttributeValue& value, Encoding& out) {
  if (const auto* real = value.get_if<double>())
    return out.real(attribute_field::kFloat, static_cast<float>(*real)), attribute_kind::kFloat;
  if (const auto* integer = value.get_if<std::int64_t>())
    return out.integer(attribute_field::kInt, *integer), attribute_kind::kInt;
  if (const auto* truth = value.get_if<bool>())
    return out.integer(attribute_field::kInt, *truth ? 1 : 0), attribute_kind::kInt;
  if (const auto* text = value.get_if<std::string>())
    return out.bytes(attribute_field::kString, *text), attribute_kind::kString;
  if (const auto* type = value.get_if<ElementType>())
    return out.integer(attribute_field::kInt, data_type_of(*type)), attribute_kind::kInt;
  if (const auto* reals = value.get_if<std::vector<double>>()) {
    for (const double real : *reals) out.real(attribute_field::kFloats, static_cast<float>(real));
    return attribute_kind::kFloats;
  }
  if (const auto* integers = value.get_if<std::vector<std::int64_t>>()) {
    for (const std::int64_t integer : *integers) out.integer(attribute_field::kInts, integer);
    return attribute_kind::kInts;
  }
  if (const auto* texts = value.get_if<std::vector<std::string>>()) {
    for (const std::string& text : *texts) out.bytes(attribute_field::kStrings, text);
    return attribute_kind::kStrings;
  }
  if (const auto* tensor = value.get_if<Tensor>()) {
    Encoding message;
    if (!encode_tensor("", *tensor, message)) return std::nullopt;
    out.message(attribute_field::kTensor, message);
    return attribute_kind::kTensor;
  }
  return std::nullopt;
}

}  // namespace

void encode_entry(std::uint32_t field, std::string_view key, std::string_view value, Encoding& out) {
  Encoding entry;
  entry.bytes(frontends::entry_field::kKey, key);
  entry.bytes(frontends::entry_field::kValue, value);
  out.message(field, entry);
}

Expected<void> encode_attribute(std::string_view name, const AttributeValue& value, Encoding& out) {
  out.bytes(attribute_field::kName, name);
  const AttributeValue* const wire = value.map() ? value.map()->find(frontends::kept_key::kWire) : nullptr;
  if (const AttributeList* records = wire ? wire->get_if<AttributeList>() : nullptr) {
    for (const AttributeValue& record : *records) encode_record(record, out);
    return {};
  }
  const std::optional<std::int64_t> kind = encode_value(value, out);
  if (!kind)
    return error("MO-ONNX-0061", "attribute {} holds {}, which an ONNX model cannot represent", name, value.kind_name())
        .hint("a transform created it: leave that transform out");
  out.integer(attribute_field::kKind, *kind);
  return {};
}

Expected<void> encode_tensor(std::string_view name, const Tensor& tensor, Encoding& out, const ExternalPlace* place) {
  const std::int64_t type = data_type_of(tensor.element_type());
  if (type == 0)
    return error("MO-ONNX-0061", "tensor '{}' is of {}, a type that ONNX does not have", name,
                 to_string(tensor.element_type()))
        .hint("a transform created it: leave that transform out");
  for (const std::int64_t size : tensor.shape()) out.integer(tensor_field::kDims, size);
  out.integer(tensor_field::kDataType, type);
  if (tensor.element_type() == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> texts, to_strings(tensor));
    for (const std::string& text : texts) out.bytes(tensor_field::kStringData, text);
  }
  if (!name.empty()) out.bytes(tensor_field::kName, name);
  if (place) {
    encode_entry(tensor_field::kExternalData, "location", place->location, out);
    encode_entry(tensor_field::kExternalData, "offset", std::to_string(place->offset), out);
    encode_entry(tensor_field::kExternalData, "length", std::to_string(tensor.byte_size()), out);
    out.integer(tensor_field::kDataLocation, kExternal);
  } else if (tensor.element_type() != ElementType::string) {
    out.tensor_bytes(tensor_field::kRawData, tensor);
  }
  return {};
}

void encode_value_info(std::string_view name, const TensorType& type, Encoding& out, const DimensionNamer& name_of) {
  Encoding tensor;
  tensor.integer(tensor_type_field::kElementType, data_type_of(type.element_type));
  if (type.shape.has_rank()) {
    Encoding sizes;
    for (const Dimension& dimension : type.shape.dims()) {
      Encoding size;
      if (dimension.is_known())
        size.integer(dimension_field::kValue, dimension.value());
      else if (const std::string parameter = name_of && dimension.symbol() != 0 ? name_of(dimension.symbol()) : "";
               !parameter.empty())
        size.bytes(dimension_field::kParameter, parameter);
      sizes.message(shape_field::kDimension, size);
    }
    tensor.message(tensor_type_field::kShape, sizes);
  }
  Encoding whole;
  whole.message(type_field::kTensor, tensor);
  out.bytes(value_field::kName, name);
  out.message(value_field::kType, whole);
}

}  // namespace mo::onnx
