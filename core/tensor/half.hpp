#pragma once

#include <Eigen/Core>

#include "core/tensor/tensor.hpp"

namespace mo {

using float16 = Eigen::half;
using bfloat16 = Eigen::bfloat16;

template <>
inline constexpr ElementType element_type_of<float16> = ElementType::f16;
template <>
inline constexpr ElementType element_type_of<bfloat16> = ElementType::bf16;

}  // namespace mo
