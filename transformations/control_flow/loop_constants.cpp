#include <algorithm>

#include "core/execution/fold.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/branch_parameters.hpp"
#include "transformations/support/loop_parameters.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// Whether the map feeds a constant that is the same in every iteration.
bool is_constant(const Node& node, const LoopArgument& argument) {
  return argument.is_fixed() && node.input(static_cast<std::size_t>(argument.map->input)).node().is<Const>();
}

/// The loop or the If with its constants inside; the node itself when there are none.
Node with_constants(const Node& node, Rewriter& rw) {
  const auto parts = loop_parts(node);
  if (!parts) return with_constants_in_branches(node, rw);
  const std::vector<LoopArgument> arguments = loop_arguments(*parts);
  const std::vector<Node> parameters = parts->body->parameters();
  Rewriter inner(*parts->body);
  std::vector<bool> constants;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    constants.push_back(is_constant(node, arguments[i]));
    if (!constants[i]) continue;
    const Value constant =
        inner.constant(node.input(static_cast<std::size_t>(arguments[i].map->input)).node().as<Const>()->value);
    if (const Value stands = parameters[i].output(); !stands.disconnected()) inner.replace_uses(stands, constant);
  }
  return without_parameters(node, rw, constants);
}

/// Computes what depends on constants alone: slices of weights.
Expected<bool> fold(Graph& body) {
  Rewriter rw(body);
  MO_ASSIGN(const std::vector<Node> order, body.topological_order());
  for (const Node& node : order) {
    if (!node.alive() || !can_fold(node) || !has_constant_inputs(node)) continue;
    std::vector<Tensor> tensors;
    for (const OutPort& port : node.out_ports()) {
      if (port.disconnected()) {
        tensors.emplace_back();
        continue;
      }
      auto tensor = fold_output(node, port.index());
      if (!tensor) return node.describe(std::move(tensor).error());
      if (tensor->empty()) break;  // better left to the runtime
      tensors.push_back(*std::move(tensor));
    }
    if (tensors.size() < node.out_port_count()) continue;
    Outputs constants;
    for (Tensor& tensor : tensors) constants.push_back(tensor.empty() ? Value() : rw.constant(std::move(tensor)));
    rw.replace(node, constants);
    if (rw.error()) return *rw.error();
  }
  return rw.has_changed();
}

/// From the outside in, so that a constant gets through several loops.
Expected<bool> move_constants(Graph& graph) {
  bool changed = false;
  std::vector<Graph*> open = {&graph};
  while (!open.empty()) {
    Graph& next = *open.back();
    open.pop_back();
    std::vector<Node> owners;
    for (const Node node : next.nodes())
      if (node.op_type().traits.owns_bodies) owners.push_back(node);
    Rewriter rw(next);
    for (const Node& owner : owners) {
      const Node made = with_constants(owner, rw);
      for (Graph* body : made.bodies()) {
        MO_ASSIGN(const bool folded, fold(*body));
        changed = changed || folded;
        open.push_back(body);
      }
    }
    if (rw.error()) return *rw.error();
    changed = changed || rw.has_changed();
  }
  return changed;
}

}  // namespace

/// Constants that a Loop, a TensorIterator or an If takes as inputs move into its bodies, where patterns see them; the
/// bytes are shared. What bodies compute of constants alone is computed.
void register_loop_constants(PassRegistry& passes) {
  passes.add(graph_pass("LoopConstants")
                 .only_top_level()
                 .run_after({"CommonSubexpressions", "LayoutChange"})
                 .run_before({"LinearNormalization", "TransposeFusion", "SlicesToSplit"})
                 .when([](const Graph& graph, const PassContext&) { return !graph.body_owners().empty(); })
                 .run([](Graph& graph, PassContext&) { return move_constants(graph); }));
}

}  // namespace mo::transformations
