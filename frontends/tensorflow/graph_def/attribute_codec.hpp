#pragma once

#include <optional>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/encoding.hpp"

namespace mo::tensorflow {

using frontends::Encoding;

/// How an AttrValue of TensorFlow stands in a graph that is only rewritten (never converted). Unlike the attributes of
/// a conversion, which say what a translator wants to know, these keep apart what TensorFlow keeps apart:
///
///   s -> text, i -> integer, f -> real, b -> bool, shape -> PartialShape, tensor -> Tensor
///   type -> ElementType; types without one, quantised and reference types -> their name: "DT_QUINT8", "DT_FLOAT_REF"
///   list of i -> integers, of f -> reals, of s -> texts, of b, type, shape, tensor -> a list of such values
///   func -> {function: name, attributes: {…}}
///   anything else (a placeholder, a tensor of handles) -> {@wire: its bytes}
///
/// A value may have been spelled in several ways (a tensor as a list of numbers, or as bytes): see `Spelled`.
struct Spelled {
  AttributeValue value;
  /// The bytes of the AttrValue in the file; empty when `encode_attribute` gives just these.
  Tensor spelling;
};

/// Reads the AttrValue that is `message`. What is malformed inside of a tensor or a shape is kept as bytes. Errors:
/// MO-PB-*, MO-IO-0003.
Expected<Spelled> decode_attribute(frontends::WireSource& source, const frontends::WireField& message);

/// Appends the AttrValue. A tensor of one element is written as a number, others as bytes. `tensor_type`: the DataType
/// of a tensor when its element type carries several (quint8 in u8); 0: the plain one. Error MO-TF-0050 for a value
/// that no AttrValue can hold.
Expected<void> encode_attribute(const AttributeValue& value, std::int64_t tensor_type, Encoding& out);

/// The number of the DataType that an attribute value names (ElementType or "DT_…"); 0 when it names none.
std::int64_t data_type_in(const AttributeValue& value);

}  // namespace mo::tensorflow
