#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Reshape -> Transpose -> Reshape: dimensions are split, the parts change places, and become dimensions again. Only
/// the first dimension (the batch) may be unknown (-1 below); it is the same everywhere.
struct Rearrangement {
  Value x;
  std::vector<std::int64_t> in;     ///< shape of x
  std::vector<std::int64_t> parts;  ///< shape between
  std::vector<std::size_t> order;   ///< of the Transpose
  std::vector<std::int64_t> out;
};

/// The rearrangement that ends in this Reshape, when its inner tensors have no other readers. A Reshape that names the
/// batch of a tensor whose batch is unknown tells it, since it fits no other one. What takes the place of the
/// rearrangement then knows less of its shape.
std::optional<Rearrangement> rearrangement_before(const Node& reshape);

}  // namespace mo::transformations
