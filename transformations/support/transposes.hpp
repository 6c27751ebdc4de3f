#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// What the rules that move Transposes share.
namespace mo::transformations {

/// The numbers of a constant order that names each dimension once. (An empty one, which reverses the dimensions, is
/// none.)
std::optional<std::vector<std::size_t>> constant_order(const Value& order);
std::optional<std::vector<std::size_t>> as_order(const std::vector<std::int64_t>& numbers);
/// The order that takes back what `order` does.
std::vector<std::int64_t> inverse_order(const std::vector<std::size_t>& order);

/// Any reduction (arithmetic or logical) or Squeeze of `x` along the axes that input 1 gives.
Pat reduction_or_squeeze(const Pat& x, const Pat& axes);
/// Whether the dimensions that are taken together stay as 1.
bool keeps_dims(const Node& reduction_or_squeeze);
/// Constant axes of such a node, counted from the front, in their order; none given (all), unknown or twice: nothing.
std::optional<std::vector<std::size_t>> removed_dims(const Node& reduction_or_squeeze);

}  // namespace mo::transformations
