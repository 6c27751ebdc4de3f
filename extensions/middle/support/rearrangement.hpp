#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

namespace mo::middle {

/// Reshape -> Transpose -> Reshape: dimensions are split, the parts change
/// places, and become dimensions again. Only the first dimension (the batch)
/// may be unknown (-1 below); it is the same everywhere.
struct Rearrangement {
  Value x;
  std::vector<std::int64_t> in;     ///< shape of x
  std::vector<std::int64_t> parts;  ///< shape between
  std::vector<std::size_t> order;   ///< of the Transpose
  std::vector<std::int64_t> out;
};

/// The rearrangement that ends in this Reshape, when nobody else reads its
/// inner tensors.
std::optional<Rearrangement> rearrangement_before(const Node& reshape);

}  // namespace mo::middle
