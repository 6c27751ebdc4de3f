#pragma once

#include <string_view>

#include "core/attributes/attribute_value.hpp"

namespace mo::graph_transforms {

/// The type that a user calls "float", "quint8" or "int32_ref", as an attribute holds it (an element type, or
/// "DT_QUINT8"). Error MO-GTT-0015.
Expected<AttributeValue> type_named(std::string_view text);

/// "1,224,224,3": a shape; -1 and "?" are unknown dimensions. Error MO-GTT-0016.
Expected<PartialShape> shape_named(std::string_view text);

}  // namespace mo::graph_transforms
