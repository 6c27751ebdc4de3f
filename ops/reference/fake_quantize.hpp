#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// The ends of the ranges; each broadcasts (numpy) to the data and has its element type.
struct QuantizationRanges {
  const Tensor& input_low;
  const Tensor& input_high;
  const Tensor& output_low;
  const Tensor& output_high;
};

/// Limits the data to the input range, rounds it to the nearest of `levels` equidistant values (halves to even), and
/// maps these to the output range. Real types; levels >= 2.
void fake_quantize(const Tensor& data, const QuantizationRanges& ranges, Tensor& out, std::int64_t levels);

}  // namespace mo::ops::reference
