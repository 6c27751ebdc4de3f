#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Repeats `data` until it fills `out`, whose last dimensions are multiples of those of `data`.
void tile(const Tensor& data, Tensor& out);

/// Stretches dimensions of size 1: dimension d of `data` lies at place places[d] of `out`, where it is as large or 1.
void stretch(const Tensor& data, const std::vector<std::size_t>& places, Tensor& out);

}  // namespace mo::ops::reference
