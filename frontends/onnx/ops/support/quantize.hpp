#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::onnx {

/// Whether `quantize` can produce this element type: integers of 4, 8 and 16 bits.
bool is_quantized_type(ElementType type);

/// saturate(round_half_to_even(x / scale) + zero_point) as `type`, exactly as ONNX QuantizeLinear defines it; `zero_point` may be empty.
/// All inputs must broadcast; `scale` is real. FakeQuantize is not used: it rounds after the zero point was added, so that halves go to
/// another neighbour when the zero point is odd.
Value quantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point, ElementType type);

/// saturate(round_half_to_even(scaled) + zero_point) as `type`: the second half of `quantize`.
Value round_to(Rewriter& rw, const Value& scaled, const Value& zero_point, ElementType type);

/// (x - zero_point) * scale with the element type of `scale`; `zero_point` may be empty.
Value dequantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point);

/// (x - zero_point) as `type`; `zero_point` may be empty.
Value without_zero_point(Rewriter& rw, const Value& x, const Value& zero_point, ElementType type);

}  // namespace mo::onnx
