#include "frontends/onnx/attribute_message.hpp"

#include <bit>

#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// AttributeProto.AttributeType -> the field that holds the value; 0 for UNDEFINED.
constexpr std::uint32_t kFieldOfKind[] = {0,
                                          attribute_field::kFloat,
                                          attribute_field::kInt,
                                          attribute_field::kString,
                                          attribute_field::kTensor,
                                          attribute_field::kGraph,
                                          attribute_field::kFloats,
                                          attribute_field::kInts,
                                          attribute_field::kStrings,
                                          attribute_field::kTensors,
                                          attribute_field::kGraphs,
                                          attribute_field::kSparse,
                                          attribute_field::kSparses,
                                          attribute_field::kType,
                                          attribute_field::kTypes};
constexpr std::string_view kKindNames[] = {
    "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
    "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};

}  // namespace

bool is_single_message(std::uint32_t field) {
  return field == attribute_field::kTensor || field == attribute_field::kGraph || field == attribute_field::kType ||
         field == attribute_field::kSparse;
}

Expected<void> AttributeMessage::read(WireSource& source, const WireField& message, const AttributeMap& others) {
  const auto check_length = [&](std::size_t length) -> Expected<void> {
    if (length < limits::kListLength) return {};
    return error("MO-ONNX-0019", "attribute '{}' has more than {} elements", name, limits::kListLength)
        .hint("store large data in a tensor");
  };
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case attribute_field::kName:
      case attribute_field::kReferenceName: {
        MO_ASSIGN((field.number == attribute_field::kName ? name : reference), short_text_of(source, field));
        return {};
      }
      case attribute_field::kKind: {
        MO_ASSIGN(kind, integer_of(field));
        return {};
      }
      case attribute_field::kFloat: {
        MO_ASSIGN(const float narrow, float_of(field));
        real = frontends::as_written(narrow);
        break;
      }
      case attribute_field::kInt: {
        MO_ASSIGN(integer, integer_of(field));
        break;
      }
      case attribute_field::kFloats:
        MO_TRY(frontends::each_fixed<float>(source, field, [&](float v) -> Expected<void> {
          MO_TRY(check_length(reals.size()));
          reals.push_back(frontends::as_written(v));
          return {};
        }));
        break;
      case attribute_field::kInts:
        MO_TRY(frontends::each_varint(source, field, [&](std::uint64_t v) -> Expected<void> {
          MO_TRY(check_length(integers.size()));
          integers.push_back(static_cast<std::int64_t>(v));
          return {};
        }));
        break;
      case attribute_field::kString:
      case attribute_field::kTensor:
      case attribute_field::kGraph:
      case attribute_field::kStrings:
      case attribute_field::kTensors:
      case attribute_field::kGraphs:
      case attribute_field::kType:
      case attribute_field::kTypes:
      case attribute_field::kSparse:
      case attribute_field::kSparses:
        MO_TRY(check_length(messages.size()));
        if (field.type != frontends::WireType::bytes) return wrong_wire_type(field, "bytes");
        messages.push_back(field);
        break;
      default: return {};
    }
    present |= 1U << field.number;
    return {};
  }));
  if (name.empty())
    return error("MO-ONNX-0020", "an attribute has no name")
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (name.front() == '@')
    return error("MO-ONNX-0020", "invalid attribute name '{}'", name).hint("names of attributes are identifiers");
  if (others.contains(name))
    return error("MO-ONNX-0020", "duplicate attribute '{}'", name)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (others.size() == limits::kAttributes)
    return error("MO-ONNX-0019", "a node has more than {} attributes", limits::kAttributes)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  return {};
}

Expected<std::uint32_t> AttributeMessage::value_field() const {
  if (kind < 0 || kind >= static_cast<std::int64_t>(std::size(kFieldOfKind)))
    return error("MO-ONNX-0021", "attribute '{}' has type {}, which does not exist", name, kind)
        .hint("the model is newer than this program, or corrupt: update mo, or compare the checksum of the file");
  std::uint32_t field = kFieldOfKind[kind];
  if (kind == 0) {
    // IR versions 1 and 2 need not say the type: the value that is there tells.
    if (std::popcount(present) != 1)
      return error("MO-ONNX-0021", "attribute '{}' has no type and {} values", name, std::popcount(present))
          .hint("export the model again; onnx.checker finds such errors");
    field = static_cast<std::uint32_t>(std::countr_zero(present));
  }
  if ((present & ~(1U << field)) != 0)
    return error("MO-ONNX-0021", "attribute '{}' of type {} has a value of another type", name, kKindNames[kind])
        .hint("export the model again; onnx.checker finds such errors");
  if (is_single_message(field) && messages.size() != 1)
    return error("MO-ONNX-0021", "attribute '{}' of type {} has {} values", name, kKindNames[kind], messages.size())
        .hint("export the model again; onnx.checker finds such errors");
  return field;
}

Expected<AttributeValue> AttributeMessage::take_plain_value(std::uint32_t field, WireSource& source,
                                                            TensorReader& tensors) {
  switch (field) {
    case attribute_field::kFloat: return AttributeValue(real);
    case attribute_field::kInt: return AttributeValue(integer);
    case attribute_field::kFloats: return AttributeValue(std::move(reals));
    case attribute_field::kInts: return AttributeValue(std::move(integers));
    case attribute_field::kTensor: {
      MO_ASSIGN(NamedTensor tensor, tensors.read(messages.front()));
      return AttributeValue(std::move(tensor.tensor));
    }
    case attribute_field::kString:
    case attribute_field::kStrings: {
      std::vector<std::string> texts;
      for (const WireField& message : messages) {
        MO_ASSIGN(std::string text, text_of(source, message));
        texts.push_back(std::move(text));
      }
      if (field == attribute_field::kStrings) return AttributeValue(std::move(texts));
      return AttributeValue(texts.empty() ? std::string() : std::move(texts.back()));
    }
    default: return AttributeValue();
  }
}

}  // namespace mo::onnx
