#pragma once

#include "core/tensor/tensor.hpp"

namespace mo {

/// Elements converted to `type` where `convert` would wrap around or overflow: what lies beyond the limits of `type`
/// becomes the nearest one, for every pair of types. Infinities stay infinite in a real type, and NaN is 0 in an
/// integer type. Loads the tensor. Error MO-CORE-0004 for strings and dynamic types.
Expected<Tensor> convert_saturating(const Tensor& tensor, ElementType type);

}  // namespace mo
