#include "frontends/onnx/model_proto/attribute_decoder.hpp"

#include "frontends/common/field_record.hpp"
#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/keys.hpp"

namespace mo::onnx {

using frontends::Encoding;
using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// The parts of an AttributeProto.
struct Parts {
  std::string name;
  std::int64_t kind = 0;
  std::vector<WireField> values;  ///< of the field that `kind` stands for
  AttributeList records;          ///< all but the name
};

std::uint32_t field_of(std::int64_t kind) {
  switch (kind) {
    case attribute_kind::kFloat: return attribute_field::kFloat;
    case attribute_kind::kInt: return attribute_field::kInt;
    case attribute_kind::kString: return attribute_field::kString;
    case attribute_kind::kTensor: return attribute_field::kTensor;
    case attribute_kind::kFloats: return attribute_field::kFloats;
    case attribute_kind::kInts: return attribute_field::kInts;
    case attribute_kind::kStrings: return attribute_field::kStrings;
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
    case attribute_kind::kFloat: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(const float value, float_of(parts.values.front()));
      return AttributeValue(frontends::as_written(value));
    }
    case attribute_kind::kInt: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(const std::int64_t value, integer_of(parts.values.front()));
      return AttributeValue(value);
    }
    case attribute_kind::kString: {
      if (!is_single) return AttributeValue();
      MO_ASSIGN(std::string value, text_of(source, parts.values.front()));
      return AttributeValue(std::move(value));
    }
    case attribute_kind::kTensor: {
      if (!is_single) return AttributeValue();
      auto value = tensors.read(parts.values.front());
      return value ? AttributeValue(std::move(value->tensor)) : AttributeValue();
    }
    case attribute_kind::kFloats:
      for (const WireField& field : parts.values)
        MO_TRY(frontends::each_fixed<float>(source, field, [&](float v) -> Expected<void> {
          reals.push_back(frontends::as_written(v));
          return {};
        }));
      return AttributeValue(std::move(reals));
    case attribute_kind::kInts:
      for (const WireField& field : parts.values)
        MO_TRY(frontends::each_varint(source, field, [&](std::uint64_t v) -> Expected<void> {
          integers.push_back(static_cast<std::int64_t>(v));
          return {};
        }));
      return AttributeValue(std::move(integers));
    case attribute_kind::kStrings:
      for (const WireField& field : parts.values) {
        MO_ASSIGN(std::string text, text_of(source, field));
        texts.push_back(std::move(text));
      }
      return AttributeValue(std::move(texts));
    default: return AttributeValue();
  }
}

}  // namespace

Expected<NamedAttribute> decode_attribute(WireSource& source, TensorReader& tensors, const WireField& message) {
  MO_ASSIGN(Parts parts, read_parts(source, message));
  if (parts.name.empty() || parts.name.front() == '@')
    return error("MO-ONNX-0020", "invalid attribute name '{}'", parts.name)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
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

}  // namespace mo::onnx
