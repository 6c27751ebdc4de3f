
#include "core/types/element_type.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_reader.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;

namespace {

/// Functions in attributes of functions in attributes …
constexpr int kAttributeDepth = 16;
/// Attributes of functions from this size are read once, not for each call.
constexpr std::uint64_t kLargeAttribute = 4096;

AttributeValue type_value(std::int64_t data_type) {
  if (const auto type = element_type_of(data_type)) return *type;
  return data_type_name(data_type);
}

std::string type_text(std::int64_t data_type) {
  const auto type = element_type_of(data_type);
  return type ? std::string(to_string(*type)) : data_type_name(data_type);
}

Diagnostic too_long(std::string_view name) {
  return error("MO-TF-0011", "attribute '{}' has more than {} elements", name, limits::kListLength)
      .hint("store large data in a tensor");
}

}  // namespace

Expected<void> GraphReader::AttributeReader::read_entry(const WireField& message) {
  frontends::WireSource& source = graph_.model_.source;
  std::string key;
  WireField value;
  bool has_value = false;
  MO_ASSIGN(WireReader entry, message_of(source, message));
  MO_TRY(entry.each([&](const WireField& part) -> Expected<void> {
    if (part.number == frontends::entry_field::kKey) {
      MO_ASSIGN(key, text_of(source, part, 64 * 1024));
    } else if (part.number == frontends::entry_field::kValue) {
      value = part;
      has_value = true;
    }
    return {};
  }));
  if (attributes.size() >= limits::kAttributes)
    return error("MO-TF-0011", "a node has more than {} attributes", limits::kAttributes)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (graph_.purpose_ == Purpose::rewriting)
    return has_value ? read_as_it_stands(value, message, key) : keep_field(message);
  if (!has_value) return {};
  MO_ASSIGN(AttributeValue read, read_or_known_value(value, key));
  if (!read.is_none()) attributes.set(key, std::move(read));
  return {};
}

Expected<AttributeValue> GraphReader::AttributeReader::read_or_known_value(const WireField& message,
                                                                           std::string_view name) {
  if (!graph_.in_function_ || message.size < kLargeAttribute) return read_value(message, name);
  auto& known = graph_.model_.function_attributes;
  if (const auto found = known.find(message.offset); found != known.end()) return found->second;
  depends_on_call_ = false;
  MO_ASSIGN(AttributeValue value, read_value(message, name));
  if (!depends_on_call_) known.emplace(message.offset, value);
  return value;
}

Expected<AttributeMap> GraphReader::AttributeReader::read_map(const WireField& message, std::uint32_t entry_field) {
  AttributeReader inner(graph_);
  inner.depth_ = depth_ + 1;
  MO_ASSIGN(WireReader reader, message_of(graph_.model_.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    return field.number == entry_field ? inner.read_entry(field) : Expected<void>();
  }));
  return std::move(inner.attributes);
}

Expected<std::string> GraphReader::AttributeReader::read_function_name(const WireField& message,
                                                                       std::string_view attribute) {
  if (depth_ >= kAttributeDepth)
    return error("MO-TF-0011", "functions in attributes are nested more than {} deep", kAttributeDepth)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  std::string name;
  MO_ASSIGN(WireReader reader, message_of(graph_.model_.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != function_value_field::kName) return {};
    MO_ASSIGN(name, text_of(graph_.model_.source, field, 64 * 1024));
    return {};
  }));
  depends_on_call_ = true;
  MO_ASSIGN(AttributeMap called_with, read_map(message, function_value_field::kAttribute));
  if (!called_with.empty())
    attributes.set(std::string(kFunctionAttributes) + std::string(attribute), std::move(called_with));
  return name;
}

Expected<AttributeValue> GraphReader::AttributeReader::read_value(const WireField& message, std::string_view name) {
  frontends::WireSource& source = graph_.model_.source;
  AttributeValue value;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case attribute_field::kList: {
        MO_ASSIGN(value, read_list(field, name));
        return {};
      }
      case attribute_field::kString: {
        MO_ASSIGN(value, text_of(source, field));
        return {};
      }
      case attribute_field::kInteger: {
        MO_ASSIGN(value, integer_of(field));
        return {};
      }
      case attribute_field::kFloat: {
        MO_ASSIGN(const float narrow, float_of(field));
        value = frontends::as_written(narrow);
        return {};
      }
      case attribute_field::kBool: {
        MO_ASSIGN(const std::int64_t flag, integer_of(field));
        value = flag != 0;
        return {};
      }
      case attribute_field::kType: {
        MO_ASSIGN(const std::int64_t type, integer_of(field));
        value = type_value(type);
        return {};
      }
      case attribute_field::kShape: {
        MO_ASSIGN(value, read_shape(source, field));
        return {};
      }
      case attribute_field::kTensor: {
        MO_ASSIGN(value, read_tensor(source, field, &remarks));
        return {};
      }
      case attribute_field::kPlaceholder: {
        // In a function: the attribute of this name with which it is called.
        MO_ASSIGN(const std::string referred, text_of(source, field, 64 * 1024));
        depends_on_call_ = true;
        const AttributeValue* given = graph_.substitutions_ ? graph_.substitutions_->find(referred) : nullptr;
        if (given) value = *given;
        return {};
      }
      case attribute_field::kFunction: {
        MO_ASSIGN(value, read_function_name(field, name));
        return {};
      }
      default: return {};
    }
  }));
  return value;
}

Expected<AttributeValue> GraphReader::AttributeReader::read_list(const WireField& message, std::string_view name) {
  frontends::WireSource& source = graph_.model_.source;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> strings;
  AttributeList values;
  std::uint32_t kind = 0;
  const auto checked = [&](std::size_t size) -> Expected<void> {
    if (size < limits::kListLength) return {};
    return too_long(name);
  };
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    kind = field.number;
    switch (field.number) {
      case attribute_field::kString:
      case attribute_field::kListFunction: {
        MO_TRY(checked(strings.size()));
        MO_ASSIGN(std::string text,
                  field.number == attribute_field::kString ? text_of(source, field) : read_function_name(field, name));
        strings.push_back(std::move(text));
        return {};
      }
      case attribute_field::kInteger:
      case attribute_field::kBool:
      case attribute_field::kType:
        return each_varint(source, field, [&](std::uint64_t v) -> Expected<void> {
          MO_TRY(checked(integers.size() + strings.size()));
          if (field.number == attribute_field::kType)
            strings.push_back(type_text(static_cast<std::int64_t>(v)));
          else
            integers.push_back(field.number == attribute_field::kBool ? v != 0 : static_cast<std::int64_t>(v));
          return {};
        });
      case attribute_field::kFloat:
        return frontends::each_fixed<float>(source, field, [&](float v) -> Expected<void> {
          MO_TRY(checked(reals.size()));
          reals.push_back(frontends::as_written(v));
          return {};
        });
      case attribute_field::kShape: {
        MO_TRY(checked(values.size()));
        MO_ASSIGN(PartialShape shape, read_shape(source, field));
        values.emplace_back(std::move(shape));
        return {};
      }
      case attribute_field::kTensor: {
        MO_TRY(checked(values.size()));
        MO_ASSIGN(Tensor tensor, read_tensor(source, field));
        values.emplace_back(std::move(tensor));
        return {};
      }
      default: return {};
    }
  }));
  if (kind == attribute_field::kFloat) return AttributeValue(std::move(reals));
  if (kind == attribute_field::kString || kind == attribute_field::kListFunction || kind == attribute_field::kType)
    return AttributeValue(std::move(strings));
  if (kind == attribute_field::kShape || kind == attribute_field::kTensor) return AttributeValue(std::move(values));
  return AttributeValue(std::move(integers));  // also the empty list, whose kind is unknown
}

}  // namespace mo::tensorflow
