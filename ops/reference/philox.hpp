#pragma once

#include <array>
#include <cstdint>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Block `n` of the Philox 4x32-10 sequence (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"), keyed by
/// `key` and started at `counter`, as IR RandomUniform-8 prescribes: four numbers, uniform over 32 bits.
std::array<std::uint32_t, 4> philox(std::uint64_t n, std::uint64_t counter, std::uint64_t key);

/// Fills `out` (any number type) with uniform numbers of [low, high); both have one element of the type of `out`.
/// Integers: low < high.
void random_uniform(const Tensor& low, const Tensor& high, Tensor& out, std::uint64_t key, std::uint64_t counter);

}  // namespace mo::ops::reference
