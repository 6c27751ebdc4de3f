#include <algorithm>

#include "core/tensor/convert.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireType;

void encode_shape(std::uint32_t field, const PartialShape& shape, Encoding& out) {
  Encoding message;
  if (!shape.has_rank()) message.integer(shape_field::kUnknownRank, 1);
  if (shape.has_rank()) {
    for (const Dimension& dimension : shape.dims()) {
      Encoding dim;
      const std::int64_t size = dimension.is_known() ? dimension.value() : -1;
      if (size != 0) dim.integer(dimension_field::kSize, size);
      message.message(shape_field::kDimension, dim);
    }
  }
  out.message(field, message);
}

/// The one element of a tensor as an entry of the list of its type. False for types that are written as bytes.
bool encode_element(const Tensor& tensor, Encoding& out) {
  const auto bytes = tensor.bytes();
  const auto packed = [&](tensor_field::Field field, std::uint64_t value) {
    Encoding list;
    list.varint(value);
    out.message(field, list);
    return true;
  };
  const auto stored = [&](tensor_field::Field field) {
    Encoding list;
    list.fixed(bytes.data(), bytes.size());
    out.message(field, list);
    return true;
  };
  switch (tensor.element_type()) {
    case ElementType::f32: return stored(tensor_field::kFloats);
    case ElementType::f64: return stored(tensor_field::kDoubles);
    case ElementType::i32:
      return packed(tensor_field::kInts, static_cast<std::uint64_t>(std::int64_t{tensor.values<std::int32_t>()[0]}));
    case ElementType::i16:
      return packed(tensor_field::kInts, static_cast<std::uint64_t>(std::int64_t{tensor.values<std::int16_t>()[0]}));
    case ElementType::i8:
      return packed(tensor_field::kInts, static_cast<std::uint64_t>(std::int64_t{tensor.values<std::int8_t>()[0]}));
    case ElementType::u8: return packed(tensor_field::kInts, tensor.values<std::uint8_t>()[0]);
    case ElementType::u16: return packed(tensor_field::kInts, tensor.values<std::uint16_t>()[0]);
    case ElementType::i64:
      return packed(tensor_field::kInt64s, static_cast<std::uint64_t>(tensor.values<std::int64_t>()[0]));
    case ElementType::boolean: return packed(tensor_field::kBools, bytes[0] != std::byte{0} ? 1 : 0);
    default: return false;
  }
}

Expected<void> encode_tensor(std::uint32_t field, const Tensor& tensor, std::int64_t tensor_type, Encoding& out) {
  const ElementType type = tensor.element_type();
  const std::int64_t data_type =
      tensor_type != 0 && element_type_of(tensor_type) == type ? tensor_type : data_type_of(type);
  if (data_type == 0)
    return error("MO-TF-0050", "a tensor of type {} cannot be stored in a GraphDef", to_string(type))
        .hint("convert it to a type of TensorFlow");
  Encoding message;
  message.integer(tensor_field::kDataType, data_type);
  encode_shape(tensor_field::kShape, PartialShape(tensor.shape()), message);
  if (type == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> strings, to_strings(tensor));
    for (const std::string& text : strings) message.bytes(tensor_field::kStrings, text);
  } else if (tensor.element_count() == 1) {
    MO_ASSIGN(const Tensor loaded, tensor.load());
    if (!encode_element(loaded, message)) message.tensor_bytes(tensor_field::kContent, loaded);
  } else if (tensor.byte_size() > 0) {
    message.tensor_bytes(tensor_field::kContent, tensor);
  }
  out.message(field, message);
  return {};
}

Expected<void> encode_function(const AttributeMap& value, Encoding& out) {
  Encoding message;
  const AttributeValue* const name = value.find(kept_key::kFunction);
  if (const std::string* text = name ? name->get_if<std::string>() : nullptr; text && !text->empty())
    message.bytes(function_value_field::kName, *text);
  const AttributeValue* const attributes = value.find(kept_key::kFunctionAttributes);
  if (attributes && attributes->map()) {
    std::vector<const AttributeMap::Item*> sorted;
    for (const AttributeMap::Item& item : *attributes->map()) sorted.push_back(&item);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const AttributeMap::Item* item : sorted) {
      Encoding inner;
      MO_TRY(encode_attribute(item->value, 0, inner));
      Encoding entry;
      entry.bytes(frontends::entry_field::kKey, item->name);
      entry.message(frontends::entry_field::kValue, inner);
      message.message(function_value_field::kAttribute, entry);
    }
  }
  out.message(attribute_field::kFunction, message);
  return {};
}

/// A value, or an element of a list that is not packed.
Expected<bool> encode_single(const AttributeValue& value, std::int64_t tensor_type, Encoding& out) {
  if (const PartialShape* shape = value.get_if<PartialShape>())
    return encode_shape(attribute_field::kShape, *shape, out), true;
  if (const Tensor* tensor = value.get_if<Tensor>()) {
    MO_TRY(encode_tensor(attribute_field::kTensor, *tensor, tensor_type, out));
    return true;
  }
  if (const std::string* text = value.get_if<std::string>(); text && data_type_named(*text) == 0)
    return out.bytes(attribute_field::kString, *text), true;
  return false;
}

Expected<void> cannot_hold(const AttributeValue& value) {
  return error("MO-TF-0050", "an attribute of a GraphDef cannot hold {}", value.kind_name())
      .hint("use a number, a string, a type, a shape, a tensor or a list of one of these");
}

/// Booleans and types are packed; shapes and tensors stand one by one.
Expected<void> encode_elements(const AttributeList& elements, Encoding& list) {
  Encoding packed;
  std::uint32_t kind = 0;
  for (const AttributeValue& element : elements) {
    MO_ASSIGN(const bool is_single, encode_single(element, 0, list));
    if (is_single) continue;
    const bool* const flag = element.get_if<bool>();
    const std::int64_t type = data_type_in(element);
    if (!flag && type == 0) return cannot_hold(element);
    kind = flag ? attribute_field::kBool : attribute_field::kType;
    packed.varint(flag ? *flag : static_cast<std::uint64_t>(type));
  }
  if (kind != 0) list.message(kind, packed);
  return {};
}

Expected<void> encode_list(const AttributeValue& value, Encoding& out) {
  Encoding list;
  if (const auto* integers = value.get_if<std::vector<std::int64_t>>()) {
    Encoding packed;
    for (const std::int64_t v : *integers) packed.varint(static_cast<std::uint64_t>(v));
    if (!integers->empty()) list.message(attribute_field::kInteger, packed);
  } else if (const auto* reals = value.get_if<std::vector<double>>()) {
    Encoding packed;
    for (const double v : *reals) {
      const auto narrow = static_cast<float>(v);
      packed.fixed(&narrow, sizeof narrow);
    }
    if (!reals->empty()) list.message(attribute_field::kFloat, packed);
  } else if (const auto* texts = value.get_if<std::vector<std::string>>()) {
    for (const std::string& text : *texts) list.bytes(attribute_field::kString, text);
  } else if (const auto* elements = value.get_if<AttributeList>()) {
    MO_TRY(encode_elements(*elements, list));
  } else {
    return cannot_hold(value);
  }
  out.message(attribute_field::kList, list);
  return {};
}

}  // namespace

std::int64_t data_type_in(const AttributeValue& value) {
  if (const ElementType* type = value.get_if<ElementType>()) return data_type_of(*type);
  const std::string* const name = value.get_if<std::string>();
  return name ? data_type_named(*name) : 0;
}

Expected<void> encode_attribute(const AttributeValue& value, std::int64_t tensor_type, Encoding& out) {
  if (const AttributeMap* map = value.map()) {
    if (map->contains(kept_key::kFunction)) return encode_function(*map, out);
    const AttributeValue* const wire = map->find(kept_key::kWire);
    const Tensor* const bytes = wire ? wire->get_if<Tensor>() : nullptr;
    if (!bytes) return cannot_hold(value);
    return out.append(*bytes), Expected<void>();
  }
  MO_ASSIGN(const bool is_single, encode_single(value, tensor_type, out));
  if (is_single) return {};
  if (const std::int64_t type = data_type_in(value); type != 0)
    return out.integer(attribute_field::kType, type), Expected<void>();
  if (const bool* flag = value.get_if<bool>())
    return out.integer(attribute_field::kBool, *flag ? 1 : 0), Expected<void>();
  if (const std::int64_t* number = value.get_if<std::int64_t>())
    return out.integer(attribute_field::kInteger, *number), Expected<void>();
  if (const double* number = value.get_if<double>())
    return out.real(attribute_field::kFloat, static_cast<float>(*number)), Expected<void>();
  return encode_list(value, out);
}

}  // namespace mo::tensorflow
