#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/types/element_type.hpp"

namespace mo::tensorflow {

/// The element type of a TensorFlow DataType; reference types are those of what they refer to, quantised types the
/// integers that carry them. Nothing for complex, resource and variant types, and for numbers that are no DataType.
std::optional<ElementType> element_type_of(std::int64_t data_type);

/// "DT_FLOAT", without the mark of references; "type 77" for an unknown number.
std::string data_type_name(std::int64_t data_type);

/// DT_COMPLEX64 and DT_COMPLEX128: f32 or f64 with a trailing dimension of 2 (real, imaginary).
std::optional<ElementType> complex_part_of(std::int64_t data_type);

/// The plain DataType of an element type: DT_UINT8 for u8; 0 when there is none.
std::int64_t data_type_of(ElementType type);
/// The DataType of "DT_FLOAT" or "DT_FLOAT_REF"; 0 when there is none of that name.
std::int64_t data_type_named(std::string_view name);
/// Whether it is a reference to a variable of another DataType.
bool is_reference_type(std::int64_t data_type);

}  // namespace mo::tensorflow
