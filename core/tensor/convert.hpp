#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo {

/// Elements converted to `type` as C++ does (reals to integers truncate and saturate at the target's limits, NaN gives
/// 0; anything but 0 is a true boolean; f16 and bf16 round to nearest even). Sub-byte types are unpacked and packed;
/// small reals are those that nearest_small_real gives. Loads the tensor. Error MO-CORE-0004 for strings and dynamic
/// types.
Expected<Tensor> convert(const Tensor& tensor, ElementType type);

/// All elements as numbers; for small tensors such as axes, shapes and scalars. Loads the tensor.
/// Reals truncate. Error MO-CORE-0004 for strings.
Expected<std::vector<std::int64_t>> to_integers(const Tensor& tensor);
Expected<std::vector<double>> to_reals(const Tensor& tensor);

/// A tensor of `type` made of numbers (converted with `convert`'s rules).
Expected<Tensor> from_integers(ElementType type, Shape shape, const std::vector<std::int64_t>& values);
Expected<Tensor> from_reals(ElementType type, Shape shape, const std::vector<double>& values);

/// The strings of a tensor of type string (packed form of the IR: count, 0, end offsets, characters), and back.
Expected<std::vector<std::string>> to_strings(const Tensor& tensor);
Tensor from_strings(Shape shape, const std::vector<std::string>& values);

}  // namespace mo
