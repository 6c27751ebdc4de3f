#include "onnx_emitter/translator.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::onnx_emitter {
namespace {

/// x * HardSigmoid(x), HardSigmoid(x) = max(0, min(1, x / 6 + 0.5)). ONNX HardSwish came with op set 14.
Expected<Outputs> h_swish(Translation& t) {
  if (t.opset >= 14) return Outputs{t.op("HardSwish", {t.input(0)})};
  const Value gate = t.op("HardSigmoid", {t.input(0)}, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
  return Outputs{t.op("Mul", {t.input(0), gate})};
}

Expected<Outputs> h_sigmoid(Translation& t) {
  return Outputs{t.op("HardSigmoid", {t.input(0)}, {{"alpha", 1.0 / 6}, {"beta", 0.5}})};
}

Expected<Outputs> mish(Translation& t) {
  const Value gate = t.op("Tanh", {t.op("Softplus", {t.input(0)})});
  return Outputs{t.op("Mul", {t.input(0), gate})};
}

/// Halves away from zero: the integer part of |x|, one more from .5 on. |x| + 0.5 would round 0.49999997 up.
Expected<Outputs> round(Translation& t) {
  if (t.node.as<ops::Round>()->mode == ops::RoundMode::half_to_even) return Outputs{t.op("Round", {t.input(0)})};
  const ElementType type = t.node.output_type().element_type;
  const Value size = t.op("Abs", {t.input(0)});
  const Value whole = t.op("Floor", {size});
  const Value is_less = t.op("Less", {t.op("Sub", {size, whole}), t.scalar(type, 0.5)});
  const Value rounded = t.op("Where", {is_less, whole, t.op("Add", {whole, t.scalar(type, 1)})});
  return Outputs{t.op("Mul", {t.op("Sign", {t.input(0)}), rounded})};
}

/// ONNX has Relu of unsigned integers in no op set.
Expected<Outputs> relu(Translation& t) {
  return Outputs{is_integral(t.node.output_type().element_type) && !is_signed(t.node.output_type().element_type)
                     ? t.op("Identity", {t.input(0)})
                     : t.op("Relu", {t.input(0)})};
}

}  // namespace

void register_unary(OnnxForms& table) {
  table.add<ops::Abs>(direct("Abs"));
  table.add<ops::Acos>(direct("Acos"));
  table.add<ops::Acosh>(direct("Acosh"));
  table.add<ops::Asin>(direct("Asin"));
  table.add<ops::Asinh>(direct("Asinh"));
  table.add<ops::Atan>(direct("Atan"));
  table.add<ops::Atanh>(direct("Atanh"));
  table.add<ops::Ceiling>(direct("Ceil"));
  table.add<ops::Cos>(direct("Cos"));
  table.add<ops::Cosh>(direct("Cosh"));
  table.add<ops::Erf>(direct("Erf"));
  table.add<ops::Exp>(direct("Exp"));
  table.add<ops::Floor>(direct("Floor"));
  table.add<ops::HSigmoid>(h_sigmoid);
  table.add<ops::HSwish>(h_swish);
  table.add<ops::Log>(direct("Log"));
  table.add<ops::Mish>(mish);
  table.add<ops::Negative>(direct("Neg"));
  table.add<ops::ReLU>(relu);
  table.add<ops::Sigmoid>(direct("Sigmoid"));
  table.add<ops::Sign>(direct("Sign"));
  table.add<ops::Sin>(direct("Sin"));
  table.add<ops::Sinh>(direct("Sinh"));
  table.add<ops::SoftPlus>(direct("Softplus"));
  table.add<ops::SoftSign>(direct("Softsign"));
  table.add<ops::Sqrt>(direct("Sqrt"));
  table.add<ops::Tan>(direct("Tan"));
  table.add<ops::Tanh>(direct("Tanh"));
  table.add<ops::Round>(round);
  table.add<ops::Identity>(direct("Identity"));
}

}  // namespace mo::onnx_emitter
