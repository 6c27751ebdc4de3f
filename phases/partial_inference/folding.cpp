#include "phases/partial_inference/folding.hpp"

#include <algorithm>

#include "core/execution/recipe.hpp"
#include "core/inference/infer.hpp"
#include "phases/front/cutting.hpp"

namespace mo::phases {
namespace {

/// A constant that grows beyond this from next to nothing is left to the runtime.
constexpr std::uint64_t kMaxGrownBytes = std::uint64_t{1} << 30;

bool can_fold(const Node& node) {
  const OpType& type = node.op_type();
  return type.evaluate && !type.traits.stateful && !type.traits.never_folded && !type.traits.owns_bodies && !node.is<Const>() && node.in_port_count() > 0;
}

bool inputs_are_constants(const Node& node) {
  bool any = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i)) {
      if (!source.node().is<Const>()) return false;
      any = true;
    }
  return any;
}

std::vector<Tensor> constant_inputs(const Node& node) {
  std::vector<Tensor> inputs(node.in_port_count());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const Value source = node.input(i)) inputs[i] = source.node().as<Const>()->value;
  return inputs;
}

/// The value of output `i`; an empty tensor when it is better left to the runtime.
Expected<Tensor> folded_output(const Node& node, std::size_t i) {
  const PortData data = node.out_port(i).data();
  if (data.value()) return *data.value();
  const auto count = data.type().shape.element_count();
  const auto bytes = count ? byte_size(data.element_type(), *count) : std::nullopt;
  const std::vector<Tensor> inputs = constant_inputs(node);
  if (bytes) {
    if (node.op_type().traits.reinterprets && inputs.front().element_count() == *count && inputs.front().element_type() == data.element_type())
      return inputs.front().reshaped(*data.type().shape.to_shape());
    std::uint64_t made_of = 0;
    for (const Tensor& input : inputs) made_of += input.empty() ? 0 : input.byte_size();
    if (*bytes > kMaxGrownBytes && *bytes / 16 > made_of) return Tensor();
    if (*bytes > kSmallValueBytes) {
      Op op(node.op_type(), node.op_type().clone(node.payload()));
      return make_recipe(std::move(op), inputs, node.out_port_count(), i, data.type());
    }
  }
  // Small, or of a shape that only the values decide (NonZero).
  MO_ASSIGN(std::vector<Tensor> made, evaluate_op(node.op_type(), node.payload(), inputs, node.out_port_count()));
  return made[i];
}

}  // namespace

Expected<bool> fold_node(Rewriter& rewriter, const Node& node, bool static_shape) {
  if (!can_fold(node)) return false;
  const std::vector<OutPort> ports = node.out_ports();
  const bool values_known = std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.data().value() != nullptr; });
  if (!inputs_are_constants(node) && !(static_shape && values_known)) return false;
  std::vector<Tensor> tensors;
  for (const OutPort& port : ports) {
    if (port.disconnected()) {
      tensors.emplace_back();
      continue;
    }
    auto tensor = folded_output(node, port.index());
    if (!tensor) return node.describe(std::move(tensor).error());
    if (tensor->empty()) return false;
    tensors.push_back(*std::move(tensor));
  }
  Outputs constants;
  for (Tensor& tensor : tensors) constants.push_back(tensor.empty() ? Value() : rewriter.constant(std::move(tensor)));
  rewriter.replace(node, constants);
  if (rewriter.error()) return *rewriter.error();
  rewriter.take_created();
  rewriter.take_touched();
  return true;
}

Pass constant_folding() {
  return graph_pass("ConstantFolding").run([](Graph& graph, PassContext& context) -> Expected<bool> {
    const bool static_shape = context.setting("static_shape", false);
    Rewriter rewriter(graph);
    bool changed = false;
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    for (const Node& node : order) {
      if (!node.alive()) continue;
      MO_ASSIGN(const bool folded, fold_node(rewriter, node, static_shape));
      changed = changed || folded;
    }
    return changed;
  });
}

Pass partial_inference() {
  return graph_pass("PartialInference").phase(Phase::inference).only_top_level().run([](Graph& graph, PassContext& context) -> Expected<bool> {
    const bool static_shape = context.setting("static_shape", false);
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    graph.set_has_types(true);
    Rewriter rewriter(graph);
    for (const Node& node : order) {
      if (!node.alive()) continue;  // folded away with its only reader
      MO_TRY(infer_node(node));
      MO_TRY(fold_node(rewriter, node, static_shape));
    }
    graph.drop_control_edges();
    return true;
  });
}

Pass dead_code_elimination() {
  return graph_pass("DeadCodeElimination").run([](Graph& graph, PassContext&) -> Expected<bool> { return remove_dead_nodes(graph); });
}

}  // namespace mo::phases
