#include "ops/fake_convert.hpp"

#include <cmath>

#include "onnx_emitter/support/detection.hpp"
#include "ops/reference/fake_convert.hpp"

namespace mo::onnx_emitter {
namespace {

using detection::real;

/// round(x / step) * step, where step is a power of two: the distance of the numbers of the format around x. A wrong
/// exponent right below a power of two, which the logarithm may give, leads to that power as well.
Value rounded_to_float8(Translation& t, const Value& x, const ops::reference::Float8Format& format) {
  const Value half = t.cast(t.cast(x, ElementType::f16), ElementType::f32);
  const Value bounded = t.op("Clip", {half, real(t, -format.largest), real(t, format.largest)});
  const Value logarithm = t.op("Mul", {t.op("Log", {t.op("Abs", {bounded})}), real(t, 1 / std::log(2.0))});
  const Value exponent = t.op("Max", {t.op("Floor", {logarithm}), real(t, format.least_exponent)});
  const Value step = t.op("Pow", {real(t, 2), t.op("Sub", {exponent, real(t, format.mantissa_bits)})});
  return t.op("Mul", {t.op("Round", {t.op("Div", {bounded, step})}), step});
}

Expected<Outputs> fake_convert(Translation& t) {
  const auto& op = *t.node.as<ops::FakeConvert>();
  const Value scale = detection::in_f32(t, 1);
  Value x = t.op("Mul", {detection::in_f32(t, 0), scale});
  const Value shift = t.input(2) ? detection::in_f32(t, 2) : Value();
  if (shift) x = t.op("Sub", {x, shift});
  x = rounded_to_float8(
      t, x, op.destination_type == ops::Float8::f8e4m3 ? ops::reference::kFloat8e4m3 : ops::reference::kFloat8e5m2);
  if (shift) x = t.op("Add", {x, shift});
  return Outputs{detection::as_output(t, t.op("Div", {x, scale}))};
}

}  // namespace

void register_fake_convert(OnnxForms& table) { table.add<ops::FakeConvert>(fake_convert); }

}  // namespace mo::onnx_emitter
