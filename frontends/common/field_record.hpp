#pragma once

#include <initializer_list>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/encoding.hpp"

namespace mo::frontends {

/// A field as an attribute value that keeps all that the wire says: its number, how it is encoded, and its payload.
/// Errors: MO-CORE-0001, MO-IO-0003.
Expected<AttributeValue> record_of(WireSource& source, const WireField& field);
/// Records of the fields of a message but those of some numbers. Errors as above, MO-PB-*.
Expected<AttributeList> records_but(WireSource& source, const WireField& message,
                                    std::initializer_list<std::uint32_t> left_out);
/// The number of the field that the record keeps; 0 when it is not a record.
std::uint32_t number_of_record(const AttributeValue& record);
/// The payload of a field of bytes; null when it is of another kind.
const Tensor* payload_of_record(const AttributeValue& record);
/// Whether a value is the one that was read, told without reading the bytes of tensors: an equal one is written as well
/// by its own spelling.
bool is_as_read(const AttributeValue& now, const AttributeValue& read);
/// Appends the field.
void encode_record(const AttributeValue& record, Encoding& out);

}  // namespace mo::frontends
