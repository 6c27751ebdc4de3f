#include "ops/activations.hpp"

#include <cmath>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/clamp.hpp"
#include "ops/select.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx_emitter {
namespace {

Expected<Outputs> elu(Translation& t) {
  return Outputs{t.op("Elu", {t.input(0)}, {{"alpha", t.node.as<ops::Elu>()->alpha}})};
}

/// A vector of slopes lies along dimension 1 in the IR when it has its length; in ONNX it is aligned at the last one.
Expected<Outputs> prelu(Translation& t) {
  const auto rank = t.node.input_type(0).rank();
  const TensorType& slope = t.node.input_type(1);
  if (!slope.rank()) return t.refused("the rank of its slopes is unknown");
  Value aligned = sizes::typed_input(t, 1, t.node.output_type().element_type);
  const bool is_vector = slope.rank() == 1 && slope.shape[0] != Dimension(1);
  if (is_vector && (!rank || *rank < 2 || t.node.input_type(0).shape[1].compatible(slope.shape[0]))) {
    if (!rank) return t.refused("the rank of its input is unknown");
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = 1; axis < *rank - 1; ++axis) axes.push_back(axis);
    if (!axes.empty()) aligned = t.with_axes("Unsqueeze", aligned, axes);
  }
  return Outputs{t.op("PRelu", {t.input(0), aligned})};
}

/// Operators whose parameters are attributes in ONNX.
template <class Op>
Expected<Outputs> with_two_numbers(Translation& t, const char* type, const char* first, const char* second) {
  const auto a = single_real_of(t.node.input(1));
  const auto b = single_real_of(t.node.input(2));
  if (!a || !b) return t.refused("its parameters are computed");
  return Outputs{t.op(type, {t.input(0)}, {{first, *a}, {second, *b}})};
}

Expected<Outputs> selu(Translation& t) { return with_two_numbers<ops::Selu>(t, "Selu", "alpha", "gamma"); }
Expected<Outputs> hard_sigmoid(Translation& t) {
  return with_two_numbers<ops::HardSigmoid>(t, "HardSigmoid", "alpha", "beta");
}

Expected<Outputs> swish(Translation& t) {
  const Value scaled = t.input(1) ? t.op("Mul", {t.input(0), t.input(1)}) : t.input(0);
  return Outputs{t.op("Mul", {t.input(0), t.op("Sigmoid", {scaled})})};
}

/// x * (1 + erf(x / sqrt 2)) / 2, or its approximation by tanh. ONNX Gelu came with op set 20.
Expected<Outputs> gelu_of(Translation& t, bool by_tanh) {
  const Value x = t.input(0);
  if (t.opset >= 20) return Outputs{t.op("Gelu", {x}, {{"approximate", by_tanh ? "tanh" : "none"}})};
  const ElementType type = t.node.output_type().element_type;
  Value gate;
  if (by_tanh) {
    const Value cube = t.op("Mul", {t.op("Mul", {x, x}), x});
    const Value inner = t.op("Add", {x, t.op("Mul", {cube, t.scalar(type, 0.044715)})});
    gate = t.op("Tanh", {t.op("Mul", {inner, t.scalar(type, std::sqrt(2 / std::acos(-1.0)))})});
  } else {
    gate = t.op("Erf", {t.op("Div", {x, t.scalar(type, std::sqrt(2.0))})});
  }
  const Value sum = t.op("Add", {gate, t.scalar(type, 1)});
  return Outputs{t.op("Mul", {t.op("Mul", {x, sum}), t.scalar(type, 0.5)})};
}

Expected<Outputs> gelu(Translation& t) {
  return gelu_of(t, t.node.as<ops::v7::Gelu>()->approximation_mode == ops::GeluMode::tanh);
}
Expected<Outputs> gelu_by_erf(Translation& t) { return gelu_of(t, false); }

/// Limits of an integer lie inside of its type: the least one is rounded up, the largest one down. Below op set 12 the
/// operator takes reals only.
Expected<Outputs> clamp(Translation& t) {
  const auto& op = *t.node.as<ops::Clamp>();
  const ElementType type = t.node.output_type().element_type;
  if (!is_real(type) && t.opset < 12) return t.needs_opset(12);
  const double low = is_real(type) ? op.min : std::ceil(op.min);
  const double high = is_real(type) ? op.max : std::floor(op.max);
  return Outputs{t.op("Clip", {t.input(0), t.scalar(type, low), t.scalar(type, high)})};
}

/// Below op set 13 the operators take all dimensions from the axis on as one.
Expected<Outputs> soft_max_along(Translation& t, std::int64_t axis, const char* type) {
  const auto rank = t.node.input_type(0).rank();
  if (!rank) return t.refused("the rank of its input is unknown");
  if (axis < 0) axis += *rank;
  if (t.opset >= 13 || axis == *rank - 1) return Outputs{t.op(type, {t.input(0)}, {{"axis", axis}})};
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < *rank; ++i) order.push_back(i == axis ? *rank - 1 : i == *rank - 1 ? axis : i);
  return Outputs{t.transposed(t.op(type, {t.transposed(t.input(0), order)}, {{"axis", *rank - 1}}), order)};
}

template <class Op>
OnnxForm soft_max(const char* type) {
  return [type](Translation& t) { return soft_max_along(t, t.node.as<Op>()->axis, type); };
}

/// Input 2 and the condition are stretched to input 1 with pdpd.
Expected<Outputs> select(Translation& t) {
  if (t.node.as<ops::Select>()->auto_broadcast == ops::AutoBroadcast::pdpd)
    return t.refused("operands that are aligned at an axis");
  return Outputs{t.op("Where", t.inputs())};
}

}  // namespace

void register_activations(OnnxForms& table) {
  table.add<ops::Elu>(elu);
  table.add<ops::PReLU>(prelu);
  table.add<ops::Selu>(selu);
  table.add<ops::HardSigmoid>(hard_sigmoid);
  table.add<ops::Swish>(swish);
  table.add<ops::v0::Gelu>(gelu_by_erf);
  table.add<ops::v7::Gelu>(gelu);
  table.add<ops::Clamp>(clamp);
  table.add<ops::v1::SoftMax>(soft_max<ops::v1::SoftMax>("Softmax"));
  table.add<ops::v8::SoftMax>(soft_max<ops::v8::SoftMax>("Softmax"));
  table.add<ops::LogSoftmax>(soft_max<ops::LogSoftmax>("LogSoftmax"));
  table.add<ops::Select>(select);
}

}  // namespace mo::onnx_emitter
