#pragma once

#include <optional>

#include "core/rewrite.hpp"

/// What rules ask of Gather, of whichever class.
namespace mo::transformations {

/// A Gather of class 1, 7 or 8, whatever its inputs.
Pat any_gather();
bool is_gather(const Node& node);
/// 0 for class 1.
std::int64_t batch_dims_of(const Node& gather);
/// The known axis of a Gather without batch dimensions, counted from the front.
std::optional<std::int64_t> gather_axis(const Node& gather);
/// The constant indices are 0, 1, … count - 1.
bool takes_all(const Value& indices, std::int64_t count);

}  // namespace mo::transformations
