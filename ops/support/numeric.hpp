#pragma once

#include "core/types/element_type.hpp"

namespace mo::ops {

/// The numbers that kernels compute with: reals and integers of at least 8 bits.
inline bool is_number(ElementType type) { return is_real(type) || (is_integral(type) && bit_width(type) >= 8); }

}  // namespace mo::ops
