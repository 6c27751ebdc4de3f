#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// `parts` one after the other along `axis`; all other dimensions are equal.
void concat(const std::vector<const Tensor*>& parts, std::int64_t axis, Tensor& out);
/// Cuts `data` along `axis`: the inverse of `concat`. Null parts are left out, `lengths` says how long each part is.
void split(const Tensor& data, std::int64_t axis, const std::vector<std::int64_t>& lengths,
           const std::vector<Tensor*>& parts);

}  // namespace mo::ops::reference
