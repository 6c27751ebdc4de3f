#include "frontends/onnx/ops/support/quantize.hpp"

#include <algorithm>
#include <numeric>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::onnx {

QuantizedRange range_of(ElementType type) {
  const auto levels = static_cast<double>(1U << bit_width(type));
  return is_signed(type) ? QuantizedRange{-levels / 2, levels / 2 - 1} : QuantizedRange{0, levels - 1};
}

bool is_quantized_type(ElementType type) {
  const std::size_t bits = bit_width(type);
  return is_integral(type) && (bits == 2 || bits == 4 || bits == 8 || bits == 16);
}

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

std::optional<Quantization> quantization_of(const Value& quantized) {
  Node at = quantized.node();
  if (!at.is<ops::Convert>()) return std::nullopt;
  Quantization made{.type = quantized.type().element_type};
  at = at.input(0).node();
  const auto* clamp = at.as<ops::Clamp>();
  if (!clamp || !is_quantized_type(made.type)) return std::nullopt;
  if (const QuantizedRange range = range_of(made.type); clamp->min != range.low || clamp->max != range.high)
    return std::nullopt;
  at = at.input(0).node();
  if (at.is<ops::Add>()) {
    made.zero_point = at.input(1);
    at = at.input(0).node();
  }
  const auto* round = at.as<ops::Round>();
  if (!round || round->mode != ops::RoundMode::half_to_even) return std::nullopt;
  at = at.input(0).node();
  if (at.is<ops::Convert>()) at = at.input(0).node();
  if (!at.is<ops::Divide>()) return std::nullopt;
  made.x = at.input(0);
  made.scale = at.input(1);
  return made;
}

/// DynamicQuantizeLinear-11:
///   low = min(0, min(x)), high = max(0, max(x)), scale = (high - low) / 255, zero = round(clamp(0 - low / scale, 0,
///   255))
DynamicQuantization quantize_by_range(Rewriter& rw, const Value& x) {
  // Over all axes; a tensor of unknown rank has one after it is flattened, as does a scalar.
  const std::int64_t rank = x.type().rank().value_or(0);
  const Value data = rank > 0 ? x : flattened(rw, x);
  std::vector<std::int64_t> every_axis(static_cast<std::size_t>(std::max<std::int64_t>(rank, 1)));
  std::iota(every_axis.begin(), every_axis.end(), 0);
  const Value axes = rw.integers(every_axis);
  const Value zero = rw.scalar<float>(0);
  const Value low = rw.create(ops::Minimum{}, rw.create(ops::ReduceMin{.keep_dims = false}, data, axes), zero);
  const Value high = rw.create(ops::Maximum{}, rw.create(ops::ReduceMax{.keep_dims = false}, data, axes), zero);
  const Value scale = rw.create(ops::Divide{}, rw.create(ops::Subtract{}, high, low), rw.scalar<float>(255));
  const Value exact_zero_point = rw.create(ops::Subtract{}, zero, rw.create(ops::Divide{}, low, scale));
  const Value limited = rw.create(ops::Clamp{.min = 0, .max = 255}, exact_zero_point);
  const Value rounded = rw.create(ops::Round{.mode = ops::RoundMode::half_to_even}, limited);
  const Value zero_point = rw.create(ops::Convert{.destination_type = ElementType::u8}, rounded);
  return {quantize(rw, x, scale, zero_point, ElementType::u8), scale, zero_point};
}

Value dequantize(Rewriter& rw, const Value& x, const Value& scale, const Value& zero_point) {
  Value real = as_type_of(rw, x, scale);
  if (zero_point) real = rw.create(ops::Subtract{}, real, as_type_of(rw, zero_point, scale));
  return rw.create(ops::Multiply{}, real, scale);
}

}  // namespace mo::onnx
