#pragma once

#include <optional>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Follows `parents` from the last step of each beam to the first. `steps`, `parents` and `out`: [time, batch, beam];
/// `lengths`: [batch]; `end_token`: one element. Returns a parent outside of the beam when there is one on the way.
std::optional<std::int64_t> gather_tree(const Tensor& steps, const std::vector<std::int64_t>& parents,
                                        const std::vector<std::int64_t>& lengths, const Tensor& end_token, Tensor& out);

}  // namespace mo::ops::reference
