#include "frontends/onnx/ops/support/quantize.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::onnx {
namespace {

struct QuantizedRange {
  double low;
  double high;
};

QuantizedRange range_of(ElementType type) {
  const auto levels = static_cast<double>(1U << bit_width(type));
  return is_signed(type) ? QuantizedRange{-levels / 2, levels / 2 - 1} : QuantizedRange{0, levels - 1};
}

}  // namespace

bool is_quantized_type(ElementType type) { return is_integral(type) && (bit_width(type) == 4 || bit_width(type) == 8 || bit_width(type) == 16); }

Value round_to(Rewriter& rw, const Value& scaled, const Value& zero_point, ElementType type) {
  // f32 holds every integer of 16 bits and their sums; half types do not.
  Value rounded = rw.create(ops::Round{.mode = ops::RoundMode::half_to_even}, as_type(rw, scaled, ElementType::f32));
  if (zero_point) rounded = rw.create(ops::Add{}, rounded, as_type(rw, zero_point, ElementType::f32));
  const QuantizedRange range = range_of(type);
  const Value limited = rw.create(ops::Clamp{.min = range.low, .max = range.high}, rounded);
  return rw.create(ops::Convert{.destination_type = type}, limited);
}

Value quantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point, ElementType type) {
  // ONNX also allows i32 data, which is divided as a real number.
  const Value scaled = rw.create(ops::Divide{}, as_type_of(rw, x, scale), scale);
  return round_to(rw, scaled, zero_point, type);
}

Value dequantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point) {
  Value real = as_type_of(rw, x, scale);
  if (zero_point) real = rw.create(ops::Subtract{}, real, as_type_of(rw, zero_point, scale));
  return rw.create(ops::Multiply{}, real, scale);
}

Value without_zero_point(Rewriter& rw, const Value& x, const Value& zero_point, ElementType type) {
  const Value number = as_type(rw, x, type);
  return zero_point ? rw.create(ops::Subtract{}, number, as_type(rw, zero_point, type)) : number;
}

}  // namespace mo::onnx
