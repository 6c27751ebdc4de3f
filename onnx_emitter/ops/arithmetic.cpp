#include "onnx_emitter/translator.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx_emitter {
namespace {

/// Both operands, as the operator of ONNX aligns them.
template <class Op>
std::vector<Value> operands(Translation& t) {
  const auto& op = *t.node.as<Op>();
  return {t.input(0), t.aligned(1, op.auto_broadcast, op.auto_broadcast_axis)};
}

template <class Op>
Translator binary(std::string type) {
  return [type = std::move(type)](Translation& t) -> Expected<Outputs> { return Outputs{t.op(type, operands<Op>(t))}; };
}

/// ONNX truncates the quotient of integers; the IR rounds it down when it is told so.
Expected<Outputs> divide(Translation& t) {
  const auto& op = *t.node.as<ops::Divide>();
  const std::vector<Value> ab = operands<ops::Divide>(t);
  const Value quotient = t.op("Div", ab);
  const ElementType type = t.node.output_type().element_type;
  if (!op.m_pythondiv || is_real(type) || (is_integral(type) && !is_signed(type))) return Outputs{quotient};
  // floor(a / b) = truncated - 1 where the remainder is not 0 and has another sign than the divisor
  const Value remainder = t.op("Sub", {ab[0], t.op("Mul", {quotient, ab[1]})});
  const Value zero = t.scalar(type, 0);
  const Value differs = t.op("Xor", {t.op("Less", {remainder, zero}), t.op("Less", {ab[1], zero})});
  const Value has_rest = t.op("Not", {t.op("Equal", {remainder, zero})});
  const Value less = t.cast(t.op("And", {has_rest, differs}), type);
  return Outputs{t.op("Sub", {quotient, less})};
}

/// The sign of the dividend: fmod.
Expected<Outputs> mod(Translation& t) { return Outputs{t.op("Mod", operands<ops::Mod>(t), {{"fmod", 1}})}; }

/// The sign of the divisor; the operator of ONNX has it for integers only. Of reals: the remainder with the sign of the
/// dividend, and the divisor on top where the signs differ, so that it holds for infinite divisors as well.
Expected<Outputs> floor_mod(Translation& t) {
  const std::vector<Value> ab = operands<ops::FloorMod>(t);
  const ElementType type = t.node.output_type().element_type;
  if (!is_real(type)) return Outputs{t.op("Mod", ab, {{"fmod", 0}})};
  const Value remainder = t.op("Mod", ab, {{"fmod", 1}});
  const Value zero = t.scalar(type, 0);
  const Value differs = t.op("Xor", {t.op("Less", {remainder, zero}), t.op("Less", {ab[1], zero})});
  const Value is_rest = t.op("Not", {t.op("Equal", {remainder, zero})});
  return Outputs{t.op("Where", {t.op("And", {is_rest, differs}), t.op("Add", {remainder, ab[1]}), remainder})};
}

Expected<Outputs> squared_difference(Translation& t) {
  const Value difference = t.op("Sub", operands<ops::SquaredDifference>(t));
  return Outputs{t.op("Mul", {difference, difference})};
}

}  // namespace

void register_arithmetic(TranslatorTable& table) {
  table.add<ops::Add>(binary<ops::Add>("Add"));
  table.add<ops::Subtract>(binary<ops::Subtract>("Sub"));
  table.add<ops::Multiply>(binary<ops::Multiply>("Mul"));
  table.add<ops::Power>(binary<ops::Power>("Pow"));
  table.add<ops::Maximum>(binary<ops::Maximum>("Max"));
  table.add<ops::Minimum>(binary<ops::Minimum>("Min"));
  table.add<ops::Divide>(divide);
  table.add<ops::Mod>(mod);
  table.add<ops::FloorMod>(floor_mod);
  table.add<ops::SquaredDifference>(squared_difference);
}

}  // namespace mo::onnx_emitter
