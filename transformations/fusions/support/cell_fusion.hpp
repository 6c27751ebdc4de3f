#pragma once

#include <string>
#include <utility>

#include "ops/mat_mul.hpp"
#include "transformations/fusions/support/recurrent_gates.hpp"
#include "transformations/support/matching.hpp"

/// The frame of a pass that makes cells of the gates of one step.
namespace mo::transformations {

/// What every cell reads, by gate in the order of the IR's op.
struct CellPlan {
  std::vector<Value> x;
  Value hidden;
  std::vector<CellActivation> activations;
  std::vector<std::vector<GateProduct>> input_products;
  std::vector<std::vector<GateProduct>> state_products;
  std::vector<std::vector<Columns>> biases;
};

/// Sets what all cells have, and gives the inputs: x, the states, and W, R and B.
template <class Cell>
std::vector<Value> describe_cell(Cell& cell, const CellPlan& plan, const Value& root, const std::vector<Value>& states,
                                 Rewriter& rw, CellWeights& weights) {
  const std::int64_t hidden = *width_of(root);
  cell.hidden_size = hidden;
  cell.activations = activation_names(plan.activations);
  cell.activations_alpha = activation_numbers(plan.activations, &CellActivation::alpha);
  cell.activations_beta = activation_numbers(plan.activations, &CellActivation::beta);
  std::vector<Value> inputs = {side_by_side(rw, plan.x)};
  inputs.insert(inputs.end(), states.begin(), states.end());
  inputs.push_back(weights.matrix(plan.input_products, hidden));
  inputs.push_back(weights.matrix(plan.state_products, hidden));
  inputs.push_back(weights.bias(plan.biases, hidden, root.type().element_type));
  return inputs;
}

/// Fuses each match of `Step`, whose last op is a `Root`: `plan_of(step, match, shapes)` gives an optional plan,
/// `fuse(match, plan, …)` follows it.
template <class Root, class Step, class PlanOf, class Fuse>
Pass cell_fusion(std::string name, PlanOf plan_of, Fuse fuse) {
  const auto fuse_steps = [=](Graph& graph, KnownShapes& shapes) -> Expected<bool> {
    if (!graph.has_op(ops::MatMul::id.type)) return false;
    const Step step;
    const Matcher matcher(step.root);
    Rewriter rw(graph);
    CellWeights weights(rw);
    for (const Node node : graph.nodes()) {
      if (!node.is<Root>()) continue;
      const auto match = matcher.match(node.output());
      const auto plan = match ? plan_of(step, *match, shapes) : std::nullopt;
      if (plan) fuse(*match, *plan, rw, weights, shapes);
      if (rw.error()) return *rw.error();
    }
    return rw.has_changed();
  };
  return graph_pass(std::move(name))
      .run_after({"LoopConstants", "ClampFusion"})
      .run_before({"LinearNormalization", "TransposeFusion"})
      .only_top_level()
      .run([=](Graph& graph, PassContext&) { return for_each_graph(graph, fuse_steps); });
}

}  // namespace mo::transformations
