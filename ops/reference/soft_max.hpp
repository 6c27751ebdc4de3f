#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class SoftMaxKind { probability, logarithm };

/// `axis` in [0, rank). Real element types; `out` is allocated with the type of `data`.
void soft_max(const Tensor& data, Tensor& out, std::int64_t axis, SoftMaxKind kind);

}  // namespace mo::ops::reference
