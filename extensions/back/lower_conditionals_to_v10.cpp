#include <algorithm>
#include <array>

#include "extensions/back/lowering.hpp"
#include "core/graph/values.hpp"
#include "extensions/support/tensorflow_graphs.hpp"
#include "ops/if.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"

namespace mo::back {
namespace {

/// Ops beside the elementwise ones that have a result for any values of their inputs: computing them in the branch that is not taken does no
/// harm. An index may be outside there, so nothing that gathers or scatters is among them.
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
constexpr std::array<std::string_view, 5> kMoreTotalOps{"Tile", "Transpose", "Unsqueeze", "VariadicSplit", "DepthToSpace"};

bool divides(const Node& node) { return node.is("Divide") || node.is("Mod") || node.is("FloorMod") || node.is("Power"); }

bool is_total(const Node& node) {
  const OpType& type = node.op_type();
  if (type.dynamic || type.traits.stateful || type.traits.owns_bodies) return false;
  if (type.traits.elementwise) return !divides(node) || is_real(node.output_type().element_type);
  const auto listed = [&](const auto& names) { return std::find(names.begin(), names.end(), type.name) != names.end(); };
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

Expected<std::vector<Value>> branch(Graph& body, const std::vector<ops::InputMap>& inputs, const std::vector<ops::OutputMap>& outputs,
                                    const Node& node, Rewriter& rw) {
  std::vector<Value> arguments(body.parameters().size());
  for (const ops::InputMap& map : inputs) arguments[static_cast<std::size_t>(map.parameter)] = node.input(static_cast<std::size_t>(map.input));
  MO_ASSIGN(const std::vector<Value> results, front::inline_body(body, rw, arguments));
  std::vector<Value> values(node.out_port_count());
  for (const ops::OutputMap& map : outputs)
    if (static_cast<std::size_t>(map.output) < values.size())
      values[static_cast<std::size_t>(map.output)] = results[static_cast<std::size_t>(map.result)];
  return values;
}

/// If with a known condition -> its branch; If(condition, then, else) -> Select(condition, then, else), where both branches may be computed and make tensors of one static shape.
Replacement without_if(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::If>();
  Graph& then_body = op.then_body.graph();
  Graph& else_body = op.else_body.graph();
  if (const auto condition = single_integer_of(node.input(0))) {
    // Known because shapes are: they are static, so that nothing is lost.
    auto taken = *condition != 0 ? branch(then_body, op.then_input_map, op.then_output_map, node, rw)
                                 : branch(else_body, op.else_input_map, op.else_output_map, node, rw);
    return taken ? Replacement(*std::move(taken)) : Replacement(std::move(taken).error());
  }
  for (const OutPort& port : node.out_ports())
    if (!port.type().shape.is_static()) return Replacement::declined();
  if (!is_total(then_body) || !is_total(else_body)) return Replacement::declined();
  auto yes = branch(then_body, op.then_input_map, op.then_output_map, node, rw);
  if (!yes) return std::move(yes).error();
  auto no = branch(else_body, op.else_input_map, op.else_output_map, node, rw);
  if (!no) return std::move(no).error();
  Value condition = node.input(0);
  if (condition.type().rank() != 0)
    condition =
        rw.create(ops::Reshape{.special_zero = false}, condition, rw.constant(Tensor::of<std::int64_t>({0}, std::span<const std::int64_t>())));
  Outputs outputs(node.out_port_count());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Value& a = (*yes)[i];
    const Value& b = (*no)[i];
    if (!a || !b || a.type().element_type != b.type().element_type || a.type().shape != b.type().shape) return Replacement::declined();
    outputs[i] = rw.create(ops::Select{}, condition, a, b);
  }
  return outputs;
}

}  // namespace

/// If, which came with opset8, by computing both branches.
void register_lower_conditionals_to_v10(PassRegistry& passes) {
  passes.add(front_replacement_op("If")
                 .named("LowerConditionalsToV10")
                 .phase(Phase::back)
                 .run_before({"LowerInterpolate", "LowerOpSets"})
                 .when(is_for_v10)
                 .replace_op(without_if));
}

}  // namespace mo::back
