#include <algorithm>
#include <array>

#include "ops/build/conditional.hpp"
#include "ops/if.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// Ops beside the elementwise ones that have a result for any values of their inputs: computing them in the branch that
/// is not taken does no harm. An index may be outside there, so nothing that gathers or scatters is among them.
constexpr std::array<std::string_view, 37> kTotalOps{"AvgPool",
                                                     "BatchNormInference",
                                                     "Broadcast",
                                                     "Concat",
                                                     "Convolution",
                                                     "ConvolutionBackpropData",
                                                     "CumSum",
                                                     "Const",
                                                     "FakeQuantize",
                                                     "GRUCell",
                                                     "GroupConvolution",
                                                     "Interpolate",
                                                     "LRN",
                                                     "LSTMCell",
                                                     "LogSoftmax",
                                                     "MVN",
                                                     "MatMul",
                                                     "MaxPool",
                                                     "NormalizeL2",
                                                     "PReLU",
                                                     "Pad",
                                                     "Parameter",
                                                     "RNNCell",
                                                     "ReduceL1",
                                                     "ReduceL2",
                                                     "ReduceMax",
                                                     "ReduceMean",
                                                     "ReduceMin",
                                                     "ReduceSum",
                                                     "Reshape",
                                                     "Result",
                                                     "Select",
                                                     "ShapeOf",
                                                     "SoftMax",
                                                     "Split",
                                                     "Squeeze",
                                                     "StridedSlice"};
constexpr std::array<std::string_view, 5> kMoreTotalOps{"Tile", "Transpose", "Unsqueeze", "VariadicSplit",
                                                        "DepthToSpace"};

bool divides(const Node& node) {
  return node.is("Divide") || node.is("Mod") || node.is("FloorMod") || node.is("Power");
}

bool is_total(const Node& node) {
  const OpType& type = node.op_type();
  if (type.dynamic || type.traits.stateful || type.traits.owns_bodies) return false;
  if (type.traits.elementwise) return !divides(node) || is_real(node.output_type().element_type);
  const auto listed = [&](const auto& names) {
    return std::find(names.begin(), names.end(), type.name) != names.end();
  };
  return listed(kTotalOps) || listed(kMoreTotalOps);
}

bool is_total(const Graph& body) {
  for (const Node node : body.nodes()) {
    if (!is_total(node)) return false;
    for (const OutPort& port : node.out_ports())
      if (!port.type().shape.is_static()) return false;
  }
  return true;
}

/// If with a known condition -> its branch; If(condition, then, else) -> Select(condition, then, else), where both
/// branches may be computed and make tensors of one static shape.
Replacement without_if(const Node& node, Rewriter& rw) {
  if (const auto condition = build::known_condition(node)) {
    // Known because shapes are: they are static, so that nothing is lost.
    auto taken = build::inline_branch(rw, node, *condition);
    return taken ? Replacement(*std::move(taken)) : Replacement(std::move(taken).error());
  }
  for (const OutPort& port : node.out_ports())
    if (!port.type().shape.is_static()) return Replacement::declined();
  const auto& op = *node.as<ops::If>();
  if (!is_total(op.then_body.graph()) || !is_total(op.else_body.graph())) return Replacement::declined();
  auto yes = build::inline_branch(rw, node, true);
  if (!yes) return std::move(yes).error();
  auto no = build::inline_branch(rw, node, false);
  if (!no) return std::move(no).error();
  Value condition = node.input(0);
  if (condition.type().rank() != 0)
    condition = rw.create(ops::Reshape{.special_zero = false}, condition,
                          rw.constant(Tensor::of<std::int64_t>({0}, std::span<const std::int64_t>())));
  Outputs outputs(node.out_port_count());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Value& a = (*yes)[i];
    const Value& b = (*no)[i];
    if (!a || !b || a.type().element_type != b.type().element_type || a.type().shape != b.type().shape)
      return Replacement::declined();
    outputs[i] = rw.create(ops::Select{}, condition, a, b);
  }
  return outputs;
}

}  // namespace

/// If, which came with opset8, by computing both branches.
void register_lower_conditionals(PassRegistry& passes) {
  passes.add(front_replacement_op("If")
                 .named("LowerConditionals")
                 .phase(Phase::back)
                 .run_before({"LowerInterpolate", "LowerOpSets"})
                 .when(older_than(8))
                 .replace_op(without_if));
}

}  // namespace mo::transformations
