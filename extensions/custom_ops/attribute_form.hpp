#pragma once

#include "extensions/custom_ops/description.hpp"

namespace mo::custom_ops {

/// Attributes from tensors hold at most this many elements.
inline constexpr std::int64_t kMostAttributeElements = 4096;

/// The value in the wanted form: numbers among each other, one element for a list of one, lists of one, tensors as
/// lists, names of element types, ONNX's numbers of element types. Error MO-CONFIG-0107: it cannot be written so
/// without loss.
Expected<AttributeValue> to_form(const AttributeValue& value, AttributeForm form);

/// What the IR can hold as an attribute as it is: no tensors, graphs, records, absent values.
bool is_plain(const AttributeValue& value);

}  // namespace mo::custom_ops
