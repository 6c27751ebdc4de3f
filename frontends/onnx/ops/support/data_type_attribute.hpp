#pragma once

#include "core/registry/operator_table.hpp"
#include "frontends/onnx/data_types.hpp"

namespace mo::onnx {

/// The element type that an attribute names by its number in TensorProto.DataType. Error MO-ONNX-0203 for types that
/// the IR does not have.
inline Expected<ElementType> data_type_of_number(const FrameworkNode& node, std::string_view attribute,
                                                 std::int64_t number) {
  if (const auto type = element_type_of(number)) return *type;
  return node.error("MO-ONNX-0203", "{} is {}, which has no counterpart in the IR", attribute, data_type_name(number))
      .hint("export the model with another element type; an IR has no complex numbers, FLOAT8…FNUZ or INT2");
}

/// As above, by name: Cast-1 spells "FLOAT", "INT64" …
inline Expected<ElementType> data_type_of_name(const FrameworkNode& node, std::string_view attribute,
                                               const std::string& name) {
  constexpr std::int64_t kNumbers = 32;  // more than ONNX defines
  for (std::int64_t number = 0; number < kNumbers; ++number)
    if (data_type_name(number) == name) return data_type_of_number(node, attribute, number);
  return node.error("MO-ONNX-0203", "{} is \"{}\", which is not an element type", attribute, name)
      .hint("names are FLOAT, DOUBLE, INT32, INT64, BOOL …");
}

}  // namespace mo::onnx
