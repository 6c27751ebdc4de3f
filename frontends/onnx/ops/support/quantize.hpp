#pragma once

#include <optional>

#include "core/pass/rewriter.hpp"
#include "ops/build/quantized.hpp"

namespace mo::onnx {

struct QuantizedRange {
  double low;
  double high;
};
/// The least and the largest integer of a quantised type.
QuantizedRange range_of(ElementType type);

/// Whether `quantize` can produce this element type: integers of 2, 4, 8 and 16 bits.
bool is_quantized_type(ElementType type);

/// saturate(round_half_to_even(x / scale) + zero_point) as `type`, exactly as ONNX QuantizeLinear defines it;
/// `zero_point` may be empty. All inputs must broadcast; `scale` is real. FakeQuantize is not used: it rounds after the
/// zero point was added, so that halves go to another neighbour when the zero point is odd.
Value quantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point, ElementType type);

/// saturate(round_half_to_even(scaled) + zero_point) as `type`: the second half of `quantize`.
Value round_to(Rewriter& rw, const Value& scaled, const Value& zero_point, ElementType type);

/// What `quantize` made a tensor of.
struct Quantization {
  Value x;  ///< of the type of `scale`
  Value scale;
  Value zero_point;  ///< f32; may be empty
  ElementType type;
};
/// Nothing for a tensor that comes from anything else.
std::optional<Quantization> quantization_of(const Value& quantized);

/// What DynamicQuantizeLinear gives: x as u8, with a scale and a zero point that follow from its range, which is
/// widened to hold 0.
struct DynamicQuantization {
  Value quantized;
  Value scale;
  Value zero_point;
};
DynamicQuantization quantize_by_range(Rewriter& rw, const Value& x);

/// (x - zero_point) * scale with the element type of `scale`; `zero_point` may be empty.
Value dequantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point);

}  // namespace mo::onnx
