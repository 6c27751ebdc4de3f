#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/tensors.hpp"

/// Transitional: what replacers of the front phase, which are becoming translators, ask of tensors that are not inferred.
namespace mo::front {
using namespace build;

TensorType known_type(const Value& value);
PartialShape known_shape(const Value& value);
std::optional<Tensor> known_constant(const Value& value);
inline constexpr std::int64_t kMostKnownElements = 4096;
std::optional<std::vector<double>> known_reals(const Value& value);
std::optional<std::vector<std::int64_t>> known_integers(const Value& value);
ElementType known_element_type(const Value& value);
[[nodiscard]] Diagnostic missing_input(const Node& node);
inline ElementType type_attribute(const Node& node, std::string_view name = "type") {
  return node.attr<ElementType>(name).value_or(ElementType::dynamic);
}

}  // namespace mo::front
