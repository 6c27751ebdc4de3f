#include "phases/partial_inference/folding.hpp"

#include <algorithm>

#include "core/execution/fold.hpp"
#include "core/execution/recipe.hpp"
#include "core/graph/copying.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/inference/infer.hpp"
#include "ops/transpose.hpp"

namespace mo::phases {
namespace {

/// A matrix that is transposed stays in sight whatever its size: a reader may take it as it is, with a flag (pass
/// MatMulTransposeFusion).
Expected<Tensor> fold_transpose(const Node& node) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i).node().as<Const>()->value);
  return make_recipe(copy_op(node), std::move(inputs), 1, 0, node.output_type());
}

}  // namespace

Expected<bool> fold_node(Rewriter& rewriter, const Node& node, bool static_shape) {
  if (!can_fold(node)) return false;
  const bool constant = has_constant_inputs(node);
  if (!constant && !static_shape) return false;
  const std::vector<OutPort> ports = node.out_ports();
  const bool values_known =
      std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.data().value() != nullptr; });
  if (!constant && !values_known) return false;
  std::vector<Tensor> tensors;
  for (const OutPort& port : ports) {
    if (port.disconnected()) {
      tensors.emplace_back();
      continue;
    }
    const bool transposes = constant && node.is<ops::Transpose>() && node.output_type().rank().value_or(0) > 1;
    auto tensor = transposes ? fold_transpose(node) : fold_output(node, port.index());
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
    const bool static_shape = context.settings.static_shape;
    // Inference has folded already, so that mostly nothing is left to be put in order.
    bool any = false;
    for (const Node node : graph.nodes())
      if (any = can_fold(node) && (static_shape || has_constant_inputs(node)); any) break;
    if (!any) return false;
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

Pass dead_code_elimination() {
  return graph_pass("DeadCodeElimination").run([](Graph& graph, PassContext&) -> Expected<bool> {
    return remove_dead_nodes(graph);
  });
}

}  // namespace mo::phases
