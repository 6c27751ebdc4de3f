#pragma once

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {

/// The filter of the Pillow library for lengths that the model computes (scalars of i64): weights [length, result]. The
/// filter grows with the reduction, so that each element counts. `cubic`: with the coefficient `a`, else a triangle.
inline Value pillow_weights(Translation& t, const Value& length, const Value& result, bool cubic, double a) {
  const auto number = [&](double value) { return t.scalar(ElementType::f32, value); };
  const auto middles = [&](const Value& count) {
    return t.op("Add", {t.cast(sizes::counted(t, count), ElementType::f32), number(0.5)});
  };
  const Value scale = t.op("Div", {t.cast(length, ElementType::f32), t.cast(result, ElementType::f32)});
  const Value centers = t.op("Mul", {middles(result), scale});
  const Value rows = t.with_axes("Unsqueeze", middles(length), {1});
  const Value stretch = t.op("Max", {scale, number(1)});
  const Value x = t.op("Abs", {t.op("Div", {t.op("Sub", {rows, centers}), stretch})});
  Value weights;
  if (cubic) {
    // Horner's scheme: ((c3 x + c2) x + c1) x + c0
    const auto polynomial = [&](double c3, double c2, double c1, double c0) {
      Value sum = t.op("Add", {t.op("Mul", {x, number(c3)}), number(c2)});
      for (const double c : {c1, c0}) sum = t.op("Add", {t.op("Mul", {sum, x}), number(c)});
      return sum;
    };
    const Value far = t.op("Where", {t.op("Less", {x, number(2)}), polynomial(a, -5 * a, 8 * a, -4 * a), number(0)});
    weights = t.op("Where", {t.op("Less", {x, number(1)}), polynomial(a + 2, -(a + 3), 0, 1), far});
  } else {
    weights = t.op("Max", {t.op("Sub", {number(1), x}), number(0)});
  }
  return t.op("Div", {weights, t.with_axes("ReduceSum", weights, {0}, {{"keepdims", 1}})});
}

}  // namespace mo::onnx_emitter
