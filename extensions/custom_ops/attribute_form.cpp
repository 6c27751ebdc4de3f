#include "extensions/custom_ops/attribute_form.hpp"

#include <charconv>
#include <cmath>

#include "core/attributes/codec.hpp"
#include "core/tensor/convert.hpp"

namespace mo::custom_ops {
namespace {

Diagnostic refuse(const AttributeValue& value, std::string_view wanted) {
  return error("MO-CONFIG-0107", "{} cannot become {}", value.kind_name(), wanted)
      .hint(
          "change \"as\" in the description; it is one of any, integer, real, boolean, text, type, integers, reals, "
          "texts");
}

/// A list of one element as that element.
AttributeValue unpacked(const AttributeValue& value) {
  if (const auto* v = value.get_if<std::vector<std::int64_t>>(); v && v->size() == 1) return v->front();
  if (const auto* v = value.get_if<std::vector<double>>(); v && v->size() == 1) return v->front();
  if (const auto* v = value.get_if<std::vector<std::string>>(); v && v->size() == 1) return v->front();
  return value;
}

/// Small tensors as lists; the shape is lost.
Expected<AttributeValue> without_tensor(const AttributeValue& value) {
  const auto* tensor = value.get_if<Tensor>();
  if (!tensor || tensor->empty()) return value;
  if (tensor->element_count() > kMostAttributeElements)
    return error("MO-CONFIG-0107", "a tensor of {} elements is too large for an attribute", tensor->element_count())
        .hint("keep it as an input");
  if (tensor->element_type() == ElementType::string) {
    MO_ASSIGN(std::vector<std::string> strings, to_strings(*tensor));
    return AttributeValue(std::move(strings));
  }
  if (is_real(tensor->element_type())) {
    MO_ASSIGN(std::vector<double> reals, to_reals(*tensor));
    return AttributeValue(std::move(reals));
  }
  MO_ASSIGN(std::vector<std::int64_t> integers, to_integers(*tensor));
  return AttributeValue(std::move(integers));
}

std::optional<std::int64_t> integer_of(const AttributeValue& value) {
  if (const auto* v = value.get_if<std::int64_t>()) return *v;
  if (const auto* v = value.get_if<bool>()) return *v ? 1 : 0;
  if (const auto* v = value.get_if<double>(); v && std::trunc(*v) == *v && std::abs(*v) < 9.0e15)
    return static_cast<std::int64_t>(*v);
  if (const auto* v = value.get_if<std::string>()) {
    std::int64_t number = 0;
    const auto [end, cause] = std::from_chars(v->data(), v->data() + v->size(), number);
    if (cause == std::errc() && end == v->data() + v->size() && !v->empty()) return number;
  }
  return std::nullopt;
}

std::optional<double> real_of(const AttributeValue& value) {
  if (const auto* v = value.get_if<double>()) return *v;
  if (const auto* v = value.get_if<std::string>()) {
    double number = 0;
    const auto [end, cause] = std::from_chars(v->data(), v->data() + v->size(), number);
    if (cause == std::errc() && end == v->data() + v->size() && !v->empty()) return number;
    return std::nullopt;
  }
  const auto integer = integer_of(value);
  return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

/// ONNX TensorProto.DataType.
std::optional<ElementType> onnx_type(std::int64_t number) {
  using enum ElementType;
  constexpr ElementType kTypes[] = {dynamic, f32, u8,  i8,  u16, i16,     i32,     i64, string,
                                    boolean, f16, f64, u32, u64, dynamic, dynamic, bf16};
  if (number < 0 || number >= static_cast<std::int64_t>(std::size(kTypes)) || kTypes[number] == dynamic)
    return std::nullopt;
  return kTypes[number];
}

Expected<AttributeValue> to_type(const AttributeValue& value) {
  if (value.holds<ElementType>()) return value;
  if (const auto* name = value.get_if<std::string>())
    if (const auto type = element_type_from(*name)) return AttributeValue(*type);
  if (const auto* number = value.get_if<std::int64_t>())
    if (const auto type = onnx_type(*number)) return AttributeValue(*type);
  return refuse(value, "an element type");
}

Expected<AttributeValue> to_list(const AttributeValue& value, AttributeForm form) {
  AttributeList items;
  if (const auto* v = value.get_if<std::vector<std::int64_t>>()) {
    items.assign(v->begin(), v->end());
  } else if (const auto* v = value.get_if<std::vector<double>>()) {
    items.assign(v->begin(), v->end());
  } else if (const auto* v = value.get_if<std::vector<std::string>>()) {
    items.assign(v->begin(), v->end());
  } else if (const auto* shape = value.get_if<PartialShape>()) {
    if (!shape->has_rank()) return refuse(value, "a list");
    for (const Dimension& d : *shape) items.emplace_back(d.is_known() ? d.value() : std::int64_t{-1});
  } else if (const auto* list = value.get_if<AttributeList>()) {
    items = *list;
  } else {
    items.push_back(value);
  }
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  for (const AttributeValue& item : items) {
    if (form == AttributeForm::integers) {
      const auto integer = integer_of(item);
      if (!integer) return refuse(value, "a list of integers");
      integers.push_back(*integer);
    } else if (form == AttributeForm::reals) {
      const auto real = real_of(item);
      if (!real) return refuse(value, "a list of numbers");
      reals.push_back(*real);
    } else {
      MO_ASSIGN(std::string text, to_ir_text(item));
      texts.push_back(std::move(text));
    }
  }
  if (form == AttributeForm::integers) return AttributeValue(std::move(integers));
  if (form == AttributeForm::reals) return AttributeValue(std::move(reals));
  return AttributeValue(std::move(texts));
}

}  // namespace

bool is_plain(const AttributeValue& value) {
  return !value.is_none() && !value.holds<Tensor>() && !value.holds<Body>() && !value.holds<AttributeList>() &&
         !value.map();
}

Expected<AttributeValue> to_form(const AttributeValue& given, AttributeForm form) {
  MO_ASSIGN(const AttributeValue value, without_tensor(given));
  switch (form) {
    case AttributeForm::any: break;
    case AttributeForm::integers:
    case AttributeForm::reals:
    case AttributeForm::texts: return to_list(value, form);
    case AttributeForm::type: return to_type(unpacked(value));
    case AttributeForm::integer:
    case AttributeForm::boolean: {
      const auto integer = integer_of(unpacked(value));
      if (form == AttributeForm::boolean && integer && (*integer == 0 || *integer == 1))
        return AttributeValue(*integer == 1);
      if (form == AttributeForm::integer && integer) return AttributeValue(*integer);
      return refuse(value, form == AttributeForm::integer ? "an integer" : "true or false");
    }
    case AttributeForm::real: {
      const auto real = real_of(unpacked(value));
      if (!real) return refuse(value, "a number");
      return AttributeValue(*real);
    }
    case AttributeForm::text: {
      if (!is_plain(value)) return refuse(value, "a string");
      MO_ASSIGN(std::string text, to_ir_text(value));
      return AttributeValue(std::move(text));
    }
  }
  if (!is_plain(value)) return refuse(value, "an attribute of the IR as it is");
  return value;
}

}  // namespace mo::custom_ops
