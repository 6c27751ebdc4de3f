#pragma once

#include "onnx_emitter/translator.hpp"

/// Rounding that ONNX has no operator for.
namespace mo::onnx_emitter {

/// The nearest integer, halves away from zero.
inline Value rounded_away(Translation& t, const Value& value, ElementType type) {
  const Value size = t.op("Floor", {t.op("Add", {t.op("Abs", {value}), t.scalar(type, 0.5)})});
  return t.op("Mul", {t.op("Sign", {value}), size});
}

/// In the range of a short integer type; other ranges leave the value as it is.
inline Value saturated(Translation& t, const Value& value, ElementType type, ElementType range) {
  const auto limited = [&](double low, double high) {
    return t.op("Clip", {value, t.scalar(type, low), t.scalar(type, high)});
  };
  switch (range) {
    case ElementType::u8: return limited(0, 255);
    case ElementType::i8: return limited(-128, 127);
    case ElementType::u16: return limited(0, 65535);
    case ElementType::i16: return limited(-32768, 32767);
    default: return value;
  }
}

}  // namespace mo::onnx_emitter
