#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"

/// What is certain of the elements of computed lists (pads, crops, shapes) whatever shapes the model gets.
namespace mo::transformations {

/// An element is `offset` more than element `index` of `tensor`; `offset` itself when `tensor` is empty.
struct ElementSource {
  Value tensor;
  std::int64_t index = 0;
  std::int64_t offset = 0;
};

/// The sources of the elements of a small tensor of integers: seen through ops that move elements, conversions, and
/// sums with constants. Empty when the shape is unknown or too large.
std::vector<ElementSource> element_sources(const Value& value);

/// Each element as far as inference knows it. Empty when their number is unknown or large.
std::vector<std::optional<std::int64_t>> known_elements(const Value& value);

/// a[i] - b[i] for each element: nothing where that depends on the inputs of the model. Elements that inference knows
/// count as constants only where the sources do not tell. Empty when the numbers of elements are unknown, large or
/// different.
std::vector<std::optional<std::int64_t>> constant_differences(const Value& a, const Value& b);

}  // namespace mo::transformations
