#pragma once

#include "core/types/element_type.hpp"

namespace mo::ops {

/// Predicates for `expect_element_type`: the type sets that the op tables name. Types below 8 bits only carry weights,
/// so ops that calculate do not take them (the IR op sets list none of them).
inline bool is_number(ElementType type) { return is_real(type) || (is_integral(type) && bit_width(type) >= 8); }
inline bool is_whole_number(ElementType type) { return is_integral(type) && bit_width(type) >= 8; }
inline bool is_boolean(ElementType type) { return type == ElementType::boolean; }
inline bool is_boolean_or_whole_number(ElementType type) { return is_boolean(type) || is_whole_number(type); }
inline bool is_any(ElementType) { return true; }

/// A set of element types and how a message calls it.
struct ElementKind {
  bool (*accepts)(ElementType);
  std::string_view description;
};

inline constexpr ElementKind kNumber{is_number, "a number type"};
inline constexpr ElementKind kReal{is_real, "a real type"};
inline constexpr ElementKind kWholeNumber{is_whole_number, "an integer type"};
inline constexpr ElementKind kBoolean{is_boolean, "boolean"};
inline constexpr ElementKind kBooleanOrWholeNumber{is_boolean_or_whole_number, "boolean or an integer type"};
inline constexpr ElementKind kAny{is_any, "any type"};

}  // namespace mo::ops
