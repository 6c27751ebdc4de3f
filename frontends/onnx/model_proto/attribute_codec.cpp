#include "frontends/onnx/model_proto/attribute_codec.hpp"

#include <bit>

#include "core/tensor/convert.hpp"
#include "frontends/common/field_record.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/keys.hpp"

namespace mo::onnx {

using frontends::Encoding;
using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// AttributeProto.AttributeType.
enum Kind : std::int64_t { kFloat = 1, kInt = 2, kString = 3, kTensor = 4, kFloats = 6, kInts = 7, kStrings = 8 };

/// The parts of an AttributeProto.
struct Parts {
  std::string name;
  std::int64_t kind = 0;
  std::vector<WireField> values;  ///< of the field that `kind` stands for
  AttributeList records;          ///< all but the name
};

std::uint32_t field_of(std::int64_t kind) {
  switch (kind) {
    case kFloat: return attribute_field::kFloat;
    case kInt: return attribute_field::kInt;
    case kString: return attribute_field::kString;
    case kTensor: return attribute_field::kTensor;
    case kFloats: return attribute_field::kFloats;
    case kInts: return attribute_field::kInts;
    case kStrings: return attribute_field::kStrings;
    default: return 0;
  }
}

Expected<Parts> read_parts(WireSource& source, const WireField& message) {
  Parts parts;
  std::vector<WireField> fields;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == attribute_field::kName) {
      MO_ASSIGN(parts.name, text_of(source, field));
      return {};
    }
    if (field.number == attribute_field::kKind) {
      MO_ASSIGN(parts.kind, integer_of(field));
    } else {
      fields.push_back(field);
    }
    MO_ASSIGN(AttributeValue record, record_of(source, field));
    parts.records.push_back(std::move(record));
    return {};
  }));
  const std::uint32_t wanted = field_of(parts.kind);
  for (const WireField& field : fields) {
    if (field.number == wanted) parts.values.push_back(field);
    // A reference to an attribute of a function has no value.
    if (field.number == attribute_field::kReferenceName) parts.kind = 0;
  }
  return parts;
}

/// The value of a kind that values have; none otherwise.
Expected<AttributeValue> value_in(WireSource& source, TensorReader& tensors, const Parts& parts) {
  const bool is_single = parts.values.size() == 1;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  switch (parts.kind) {
    case kFloat: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(const float value, float_of(parts.values.front()));
      return AttributeValue(frontends::as_written(value));
    }
    case kInt: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(const std::int64_t value, integer_of(parts.values.front()));
      return AttributeValue(value);
    }
    case kString: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(std::string value, text_of(source, parts.values.front()));
      return AttributeValue(std::move(value));
    }
    case kTensor: {
      if (!is_single) return AttributeValue();
      auto value = tensors.read(parts.values.front());
      return value ? AttributeValue(std::move(value->tensor)) : AttributeValue();
    }
    case kFloats:
      for (const WireField& field : parts.values)
        MO_TRY(frontends::each_fixed<float>(source, field, [&](float v) -> Expected<void> {
          reals.push_back(frontends::as_written(v));
          return {};
        }));
      return AttributeValue(std::move(reals));
    case kInts:
      for (const WireField& field : parts.values)
        MO_TRY(frontends::each_varint(source, field, [&](std::uint64_t v) -> Expected<void> {
          integers.push_back(static_cast<std::int64_t>(v));
          return {};
        }));
      return AttributeValue(std::move(integers));
    case kStrings:
      for (const WireField& field : parts.values) {
        MO_ASSIGN(std::string text, text_of(source, field));
        texts.push_back(std::move(text));
      }
      return AttributeValue(std::move(texts));
    default: return AttributeValue();
  }
}

/// The fields that hold the value, and the kind. Nothing for a value that no attribute can hold.
std::optional<std::int64_t> encode_value(const AttributeValue& value, Encoding& out) {
  if (const auto* real = value.get_if<double>()) return out.real(attribute_field::kFloat, static_cast<float>(*real)), kFloat;
  if (const auto* integer = value.get_if<std::int64_t>()) return out.integer(attribute_field::kInt, *integer), kInt;
  if (const auto* truth = value.get_if<bool>()) return out.integer(attribute_field::kInt, *truth ? 1 : 0), kInt;
  if (const auto* text = value.get_if<std::string>()) return out.bytes(attribute_field::kString, *text), kString;
  if (const auto* type = value.get_if<ElementType>()) return out.integer(attribute_field::kInt, data_type_of(*type)), kInt;
  if (const auto* reals = value.get_if<std::vector<double>>()) {
    for (const double real : *reals) out.real(attribute_field::kFloats, static_cast<float>(real));
    return kFloats;
  }
  if (const auto* integers = value.get_if<std::vector<std::int64_t>>()) {
    for (const std::int64_t integer : *integers) out.integer(attribute_field::kInts, integer);
    return kInts;
  }
  if (const auto* texts = value.get_if<std::vector<std::string>>()) {
    for (const std::string& text : *texts) out.bytes(attribute_field::kStrings, text);
    return kStrings;
  }
  if (const auto* tensor = value.get_if<Tensor>()) {
    Encoding message;
    if (!encode_tensor("", *tensor, message)) return std::nullopt;
    out.message(attribute_field::kTensor, message);
    return kTensor;
  }
  return std::nullopt;
}

}  // namespace

Expected<NamedAttribute> decode_attribute(WireSource& source, TensorReader& tensors, const WireField& message) {
  MO_ASSIGN(Parts parts, read_parts(source, message));
  if (parts.name.empty() || parts.name.front() == '@')
    return error("MO-ONNX-0020", "an attribute is named '{}'", parts.name).hint("the model is damaged; check how it was made");
  NamedAttribute read{std::move(parts.name), {}, {}};
  MO_ASSIGN(read.value, value_in(source, tensors, parts));
  if (read.value.is_none()) {
    read.value = AttributeMap{{std::string(kept_key::kWire), std::move(parts.records)}};
    return read;
  }
  Encoding again;
  if (!read.value.holds<Tensor>()) MO_TRY(encode_attribute(read.name, read.value, again));
  MO_ASSIGN(const bool is_usual, again.is_at(source, message));
  if (is_usual) return read;
  MO_ASSIGN(const AttributeValue whole, record_of(source, message));
  if (const Tensor* payload = frontends::payload_of_record(whole)) read.spelling = *payload;
  return read;
}

Expected<void> encode_attribute(std::string_view name, const AttributeValue& value, Encoding& out) {
  out.bytes(attribute_field::kName, name);
  const AttributeValue* const wire = value.map() ? value.map()->find(kept_key::kWire) : nullptr;
  if (const AttributeList* records = wire ? wire->get_if<AttributeList>() : nullptr) {
    for (const AttributeValue& record : *records) encode_record(record, out);
    return {};
  }
  const std::optional<std::int64_t> kind = encode_value(value, out);
  if (!kind)
    return error("MO-ONNX-0061", "attribute {} holds {}, which no ONNX model can say", name, value.kind_name())
        .hint("a transform made it: leave that transform out");
  out.integer(attribute_field::kKind, *kind);
  return {};
}

Expected<void> encode_tensor(std::string_view name, const Tensor& tensor, Encoding& out) {
  const std::int64_t type = data_type_of(tensor.element_type());
  if (type == 0)
    return error("MO-ONNX-0061", "tensor '{}' is of {}, a type that ONNX does not have", name, to_string(tensor.element_type()))
        .hint("a transform made it: leave that transform out");
  for (const std::int64_t size : tensor.shape()) out.integer(tensor_field::kDims, size);
  out.integer(tensor_field::kDataType, type);
  if (tensor.element_type() == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> texts, to_strings(tensor));
    for (const std::string& text : texts) out.bytes(tensor_field::kStringData, text);
  }
  if (!name.empty()) out.bytes(tensor_field::kName, name);
  if (tensor.element_type() != ElementType::string) out.tensor_bytes(tensor_field::kRawData, tensor);
  return {};
}

void encode_value_info(std::string_view name, const TensorType& type, Encoding& out) {
  Encoding tensor;
  tensor.integer(tensor_type_field::kElementType, data_type_of(type.element_type));
  if (type.shape.has_rank()) {
    Encoding sizes;
    for (const Dimension& dimension : type.shape.dims()) {
      Encoding size;
      if (dimension.is_known()) size.integer(dimension_field::kValue, dimension.value());
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
