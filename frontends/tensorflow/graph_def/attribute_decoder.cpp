#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

/// Functions in attributes of functions in attributes …; deeper ones stay bytes.
constexpr int kDepth = 16;

AttributeValue type_value_of(std::int64_t data_type) {
  if (const auto type = element_type_of(data_type); type && data_type_of(*type) == data_type) return *type;
  std::string name = data_type_name(data_type);
  return is_reference_type(data_type) ? name + "_REF" : name;
}

Expected<Tensor> spelling_of(WireSource& source, const WireField& message) {
  // A short one is copied: a stretch of a file costs more than its bytes.
  constexpr std::uint64_t kCopied = 256;
  const Shape shape{static_cast<std::int64_t>(message.size)};
  if (message.size <= kCopied) {
    MO_ASSIGN(Tensor copy, Tensor::allocate(ElementType::u8, shape));
    MO_TRY(source.read(message.offset, copy.mutable_bytes()));
    return copy;
  }
  MO_ASSIGN(frontends::BufferRange range, source.share(message.offset, message.size));
  return Tensor::from_buffer(ElementType::u8, shape, std::move(range.buffer), range.offset);
}

class Decoder {
 public:
  explicit Decoder(WireSource& source, int depth = 0) : source_(source), depth_(depth) {}

  /// The value as far as it can be said; none: it has to stay bytes.
  Expected<AttributeValue> value(const WireField& message) {
    AttributeValue read;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == attribute_field::kList) {
        MO_ASSIGN(read, list(field));
      } else if (field.number == attribute_field::kFunction) {
        MO_ASSIGN(read, function(field));
      } else if (field.number != attribute_field::kPlaceholder) {
        MO_ASSIGN(read, single(field));
      }
      return {};
    }));
    return read;
  }

 private:
  /// The kinds that a value and the elements of a list have in common.
  Expected<AttributeValue> single(const WireField& field) {
    switch (field.number) {
      case attribute_field::kString: {
        MO_ASSIGN(std::string text, text_of(source_, field));
        return AttributeValue(std::move(text));
      }
      case attribute_field::kInteger: {
        MO_ASSIGN(const std::int64_t number, integer_of(field));
        return AttributeValue(number);
      }
      case attribute_field::kFloat: {
        MO_ASSIGN(const float number, float_of(field));
        return AttributeValue(frontends::as_written(number));
      }
      case attribute_field::kBool: {
        MO_ASSIGN(const std::int64_t flag, integer_of(field));
        return AttributeValue(flag != 0);
      }
      case attribute_field::kType: {
        MO_ASSIGN(const std::int64_t type, integer_of(field));
        return type_value_of(type);
      }
      case attribute_field::kShape: {
        auto shape = read_shape(source_, field);
        return shape ? AttributeValue(*std::move(shape)) : AttributeValue();
      }
      case attribute_field::kTensor: {
        auto tensor = read_tensor(source_, field);
        return tensor ? AttributeValue(*std::move(tensor)) : AttributeValue();
      }
      default: return AttributeValue();
    }
  }

  Expected<AttributeValue> list(const WireField& message) {
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::vector<std::string> texts;
    AttributeList others;
    bool is_sayable = true;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      switch (field.number) {
        case attribute_field::kInteger:
          return each_varint(source_, field, [&](std::uint64_t v) -> Expected<void> {
            return integers.push_back(static_cast<std::int64_t>(v)), Expected<void>();
          });
        case attribute_field::kFloat:
          return frontends::each_fixed<float>(source_, field, [&](float v) -> Expected<void> {
            return reals.push_back(frontends::as_written(v)), Expected<void>();
          });
        case attribute_field::kBool:
          return each_varint(source_, field, [&](std::uint64_t v) -> Expected<void> {
            return others.emplace_back(v != 0), Expected<void>();
          });
        case attribute_field::kType:
          return each_varint(source_, field, [&](std::uint64_t v) -> Expected<void> {
            return others.push_back(type_value_of(static_cast<std::int64_t>(v))), Expected<void>();
          });
        case attribute_field::kString: {
          MO_ASSIGN(std::string text, text_of(source_, field));
          texts.push_back(std::move(text));
          return {};
        }
        case attribute_field::kShape:
        case attribute_field::kTensor: {
          MO_ASSIGN(AttributeValue element, single(field));
          is_sayable = is_sayable && !element.is_none();
          others.push_back(std::move(element));
          return {};
        }
        default: is_sayable = false; return {};
      }
    }));
    if (!is_sayable) return AttributeValue();
    if (!reals.empty()) return AttributeValue(std::move(reals));
    if (!texts.empty()) return AttributeValue(std::move(texts));
    if (!others.empty()) return AttributeValue(std::move(others));
    return AttributeValue(std::move(integers));  // also the empty list, whose kind is unknown
  }

  Expected<AttributeValue> function(const WireField& message) {
    if (depth_ == kDepth) return AttributeValue();
    std::string name;
    AttributeMap attributes;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == function_value_field::kName) {
        MO_ASSIGN(name, text_of(source_, field));
      } else if (field.number == function_value_field::kAttribute) {
        MO_TRY(entry(field, attributes));
      }
      return {};
    }));
    AttributeMap made{{std::string(kept_key::kFunction), std::move(name)}};
    if (!attributes.empty()) made.set(kept_key::kFunctionAttributes, std::move(attributes));
    return AttributeValue(std::move(made));
  }

  Expected<void> entry(const WireField& message, AttributeMap& attributes) {
    std::string key;
    AttributeValue read;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == frontends::entry_field::kKey) {
        MO_ASSIGN(key, text_of(source_, field));
      } else if (field.number == frontends::entry_field::kValue) {
        MO_ASSIGN(read, Decoder(source_, depth_ + 1).value(field));
      }
      return {};
    }));
    attributes.set(key, std::move(read));
    return {};
  }

  WireSource& source_;
  int depth_;
};

bool has_recipe(const AttributeValue& value) {
  const Tensor* const tensor = value.get_if<Tensor>();
  return tensor && !tensor->empty() && !tensor->in_memory() && !tensor->buffer()->file_range();
}

}  // namespace

Expected<Spelled> decode_attribute(WireSource& source, const WireField& message) {
  MO_ASSIGN(AttributeValue value, Decoder(source).value(message));
  if (!value.is_none() && !has_recipe(value)) {
    // The type of a tensor is judged by itself here; a Const says it once more in an attribute, which the writer knows
    // and we do not.
    Encoding again;
    if (encode_attribute(value, 0, again)) {
      MO_ASSIGN(const bool is_same, again.is_at(source, message));
      if (is_same) return Spelled{std::move(value), {}};
    }
  }
  MO_ASSIGN(Tensor spelling, spelling_of(source, message));
  if (value.is_none()) return Spelled{AttributeMap{{std::string(kept_key::kWire), std::move(spelling)}}, {}};
  return Spelled{std::move(value), std::move(spelling)};
}

}  // namespace mo::tensorflow
