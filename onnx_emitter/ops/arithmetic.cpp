#include "core/graph/values.hpp"
#include "onnx_emitter/support/compressed_weights.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/convolution.hpp"
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
OnnxForm binary(std::string type) {
  return [type = std::move(type)](Translation& t) -> Expected<Outputs> { return Outputs{t.op(type, operands<Op>(t))}; };
}

/// Whether the constant is one number for each channel of a result of `rank` dimensions.
bool is_for_each_channel(const Tensor& constant, std::size_t rank, std::int64_t channels) {
  const Shape& shape = constant.shape();
  if (shape.size() > rank || shape.size() + 1 < rank || constant.element_count() != channels) return false;
  return shape[shape.size() - (rank - 1)] == channels;
}

/// Ops that are one Conv or ConvTranspose, which nothing but their readers reads.
bool is_convolution(const Node& node) {
  return node.is<ops::Convolution>() || node.is<ops::GroupConvolution>() || node.is<ops::ConvolutionBackpropData>() ||
         node.is<ops::GroupConvolutionBackpropData>();
}

/// Conv(x, w) + constant as Conv(x, w, bias); nothing unless input `i` is a convolution that only this op reads.
std::optional<Value> with_bias(Translation& t, std::size_t i) {
  const Value sum_of = t.node.input(i);
  const auto* const bias = t.node.input(1 - i).node().as<Const>();
  const PartialShape& shape = t.node.output_type().shape;
  const Node convolution = t.input(i).node();
  if (!bias || !is_convolution(sum_of.node()) || sum_of.get_destinations().size() != 1) return std::nullopt;
  if (convolution.in_port_count() != 2) return std::nullopt;
  if (convolution.type() != "onnx::Conv" && convolution.type() != "onnx::ConvTranspose") return std::nullopt;
  if (!shape.has_rank() || shape.size() < 3 || !shape[1].is_known()) return std::nullopt;
  if (!is_for_each_channel(bias->value, shape.size(), shape[1].value())) return std::nullopt;
  const std::string type(convolution.type().substr(std::string_view("onnx::").size()));
  const std::vector<Value> inputs{convolution.input(0), convolution.input(1),
                                  t.constant(bias->value.reshaped({shape[1].value()}))};
  const Value made = t.op(type, inputs, convolution.attributes());
  convolution.graph().erase(convolution);
  return made;
}

Expected<Outputs> add(Translation& t) {
  for (const std::size_t i : {0, 1})
    if (auto made = with_bias(t, i)) return Outputs{*made};
  return Outputs{t.op("Add", operands<ops::Add>(t))};
}

Expected<Outputs> multiply(Translation& t) {
  if (auto made = compressed::dequantized(t)) return Outputs{*made};
  return Outputs{t.op("Mul", operands<ops::Multiply>(t))};
}

/// A constant exponent of -0.5 is the reciprocal of a square root in every release of OpenVINO: NaN of minus infinity
/// and minus infinity of -0, as Rsqrt of TensorFlow has it. Pow gives 0 and infinity.
Expected<Outputs> power(Translation& t) {
  if (is_real(t.node.output_type().element_type) && single_real_of(t.node.input(1)) == -0.5 &&
      t.node.output_type().shape == t.node.input_type(0).shape)
    return Outputs{t.op("Reciprocal", {t.op("Sqrt", {t.input(0)})})};
  return Outputs{t.op("Pow", operands<ops::Power>(t))};
}

/// Max and Min take integers from op set 12 on.
template <class Op>
OnnxForm extremum(std::string type, std::string comparison) {
  return [type = std::move(type), comparison = std::move(comparison)](Translation& t) -> Expected<Outputs> {
    const std::vector<Value> ab = operands<Op>(t);
    if (t.opset >= 12 || is_real(t.node.output_type().element_type)) return Outputs{t.op(type, ab)};
    return Outputs{t.op("Where", {t.op(comparison, ab), ab[0], ab[1]})};
  };
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

void register_arithmetic(OnnxForms& table) {
  table.add<ops::Add>(add);
  table.add<ops::Subtract>(binary<ops::Subtract>("Sub"));
  table.add<ops::Multiply>(multiply);
  table.add<ops::Power>(power);
  table.add<ops::Maximum>(extremum<ops::Maximum>("Max", "Greater"));
  table.add<ops::Minimum>(extremum<ops::Minimum>("Min", "Less"));
  table.add<ops::Divide>(divide);
  table.add<ops::Mod>(mod);
  table.add<ops::FloorMod>(floor_mod);
  table.add<ops::SquaredDifference>(squared_difference);
}

}  // namespace mo::onnx_emitter
