#include "frontends/onnx/value_info.hpp"

#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

namespace {

constexpr std::size_t kMostDimensions = 1024;

Expected<Dimension> read_dimension(ModelState& model, const WireField& message) {
  Dimension dimension;
  MO_ASSIGN(WireReader reader, message_of(model.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == dimension_field::kValue) {
      MO_ASSIGN(const std::int64_t value, integer_of(field));
      // -1 is how several exporters write "unknown".
      if (value < -1)
        return error("MO-ONNX-0023", "a dimension is {}", value)
            .hint("dimensions are not negative; give the shape with --input_shape after fixing the model");
      dimension = value == -1 ? Dimension() : Dimension(value);
    } else if (field.number == dimension_field::kParameter) {
      MO_ASSIGN(const std::string_view name, short_text_of(model.source, field));
      dimension = model.symbolic(name);
    }
    return {};
  }));
  return dimension;
}

Expected<PartialShape> read_shape(ModelState& model, const WireField& message) {
  std::vector<Dimension> dims;
  MO_ASSIGN(WireReader reader, message_of(model.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != shape_field::kDimension) return {};
    if (dims.size() == kMostDimensions)
      return error("MO-ONNX-0023", "a shape has more than {} dimensions", kMostDimensions)
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    MO_ASSIGN(const Dimension dimension, read_dimension(model, field));
    dims.push_back(dimension);
    return {};
  }));
  return PartialShape(std::move(dims));
}

/// TypeProto.Tensor and TypeProto.SparseTensor.
Expected<void> read_tensor_type(ModelState& model, const WireField& message, TensorType& type,
                                std::int64_t& data_type) {
  MO_ASSIGN(WireReader reader, message_of(model.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == tensor_type_field::kElementType) {
      MO_ASSIGN(data_type, integer_of(field));
    } else if (field.number == tensor_type_field::kShape) {
      MO_ASSIGN(type.shape, read_shape(model, field));
    }
    return {};
  }));
  type.element_type = element_type_of(data_type).value_or(ElementType::dynamic);
  return {};
}

std::string_view kind_of(std::uint32_t field) {
  switch (field) {
    case type_field::kTensor: return "tensor";
    case type_field::kSequence: return "sequence";
    case type_field::kMap: return "map";
    case type_field::kOpaque: return "opaque";
    case type_field::kSparseTensor: return "sparse tensor";
    case type_field::kOptional: return "optional";
    default: return "";
  }
}

}  // namespace

Expected<ValueInfo> read_value_info(ModelState& model, const WireField& message) {
  ValueInfo info;
  MO_ASSIGN(WireReader reader, message_of(model.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == value_field::kName) {
      MO_ASSIGN(const std::string_view name, short_text_of(model.source, field));
      info.name = name;
      return {};
    }
    if (field.number != value_field::kType) return {};
    MO_ASSIGN(WireReader type, message_of(model.source, field));
    return type.each([&](const WireField& part) -> Expected<void> {
      const std::string_view kind = kind_of(part.number);
      if (kind.empty()) return {};
      info.problem.clear();
      if (part.number != type_field::kTensor) {
        info.problem = fmt::format("{} {}", kind == "optional" || kind == "opaque" ? "an" : "a", kind);
        info.holds_tensors = part.number == type_field::kSequence || part.number == type_field::kOptional;
        return {};
      }
      std::int64_t data_type = 0;
      MO_TRY(read_tensor_type(model, part, info.type, data_type));
      // UNDEFINED: older exporters leave the type to inference.
      if (data_type != 0 && !element_type_of(data_type))
        info.problem = fmt::format("a tensor of {}", data_type_name(data_type));
      return {};
    });
  }));
  return info;
}

Expected<AttributeMap> read_type_record(ModelState& model, const WireField& message, int depth) {
  if (depth > limits::kDepth)
    return error("MO-ONNX-0024", "a type is nested more than {} deep", limits::kDepth)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  AttributeMap record;
  MO_ASSIGN(WireReader reader, message_of(model.source, message));
  MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
    const std::string_view kind = kind_of(part.number);
    if (kind.empty()) return {};
    record = AttributeMap{{"kind", kind}};
    if (part.number == type_field::kTensor || part.number == type_field::kSparseTensor) {
      TensorType type;
      std::int64_t data_type = 0;
      MO_TRY(read_tensor_type(model, part, type, data_type));
      record.set("element_type", type.element_type);
      record.set("data_type", data_type_name(data_type));
      record.set("shape", type.shape);
    } else if (part.number != type_field::kOpaque) {
      MO_ASSIGN(WireReader inner, message_of(model.source, part));
      const std::uint32_t element = part.number == type_field::kMap ? std::uint32_t{map_type_field::kValue}
                                                                    : std::uint32_t{element_type_field::kElement};
      MO_TRY(inner.each([&](const WireField& field) -> Expected<void> {
        if (field.number == element) {
          MO_ASSIGN(AttributeMap nested, read_type_record(model, field, depth + 1));
          record.set("element", std::move(nested));
        } else if (part.number == type_field::kMap && field.number == map_type_field::kKey) {
          MO_ASSIGN(const std::int64_t key, integer_of(field));
          record.set("key", data_type_name(key));
        }
        return {};
      }));
    }
    return {};
  }));
  return record;
}

}  // namespace mo::onnx
