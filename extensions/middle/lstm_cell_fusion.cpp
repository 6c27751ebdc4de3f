#include <algorithm>

#include "extensions/middle/support/matching.hpp"
#include "extensions/middle/support/recurrent_gates.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pattern.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::middle {
namespace {

using namespace pattern;

/// c' = f * c + i * g, h' = o * function(c')
struct LstmStep {
  Pat f = any().where(may_be_gate, "what may be a gate");
  Pat i = any().where(may_be_gate, "what may be a gate");
  Pat g = any().where(may_be_gate, "what may be a gate");
  Pat o = any().where(may_be_gate, "what may be a gate");
  Pat before = any().where(is_matrix, "a matrix");
  Pat kept = f * before;
  Pat added = i * g;
  Pat cell = kept + added;
  Pat seen = any_of(tanh(cell), relu(cell), sigmoid(cell));
  Pat root = o * seen;
};

/// A step of an LSTM that was understood.
struct LstmPlan {
  Value hidden;
  Value before;
  Value after;  ///< the cell state that the step makes
  std::vector<Value> x;
  std::vector<CellActivation> activations;
  std::vector<std::vector<GateProduct>> input_products;  ///< by gate f, i, c, o
  std::vector<std::vector<GateProduct>> state_products;
  std::vector<std::vector<Columns>> biases;
};

/// Which of the tensors is the state before: the other half of a cell's outputs, else a Parameter of a body, else the last one. Any tensor
/// as wide as the state will do for the numbers; this choice lets sequences be found.
std::optional<std::size_t> state_among(const std::vector<Value>& tensors, const Value& before, std::int64_t hidden) {
  std::optional<std::size_t> last;
  std::optional<std::size_t> parameter;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (width_of(tensors[i]) != hidden) continue;
    const Node node = tensors[i].node();
    if (node.is<ops::LSTMCell>() && node == before.node() && tensors[i].index() == 0) return i;
    if (node.is<Parameter>()) parameter = i;
    last = i;
  }
  return parameter ? parameter : last;
}

std::optional<LstmPlan> plan_of(const LstmStep& p, const Match& m, const KnownShapes& shapes) {
  LstmPlan plan;
  plan.before = m[p.before];
  plan.after = m[p.cell];
  const auto hidden = width_of(m.root());
  if (!hidden || width_of(plan.before) != hidden || !shapes.same_batch(plan.before, m.root()) || !shapes.same_batch(plan.before, plan.after))
    return std::nullopt;
  GateReader reader(shapes);
  for (const Pat& part : {p.root, p.seen, p.cell, p.kept, p.added}) reader.add(m.node(part));
  std::vector<GateSum> sums;
  std::vector<CellActivation> functions;
  for (const Pat& part : {p.f, p.i, p.g, p.o}) {
    const auto gate = reader.gate(m[part]);
    auto sum = gate && gate->sum.count == *hidden ? reader.sum(gate->sum) : std::nullopt;
    if (!sum) return std::nullopt;
    functions.push_back(gate->activation);
    sums.push_back(*std::move(sum));
  }
  // IR LSTMCell-4 has one function for f, i and o, one for c, and one for what is seen of the cell state.
  if (functions[0] != functions[1] || functions[0] != functions[3]) return std::nullopt;
  const Node seen = m.node(p.seen);
  plan.activations = {functions[0], functions[2], {seen.is<ops::Tanh>() ? "tanh" : seen.is<ops::ReLU>() ? "relu" : "sigmoid"}};
  const auto tensors = common_tensors({&sums[0], &sums[1], &sums[2], &sums[3]});
  const auto state = tensors ? state_among(*tensors, plan.before, *hidden) : std::nullopt;
  if (!state || tensors->size() < 2 || !reader.is_closed({m.root().node(), plan.after.node()})) return std::nullopt;
  plan.hidden = (*tensors)[*state];
  if (!shapes.same_batch(plan.hidden, plan.before)) return std::nullopt;
  const auto& products = sums.front().products;
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    if (i == *state) continue;
    const bool joined = products[i].concat && products[i].concat == products[*state].concat;
    if (!joined && !shapes.same_batch((*tensors)[i], plan.hidden)) return std::nullopt;
    plan.x.push_back((*tensors)[i]);
  }
  for (GateSum& sum : sums) {
    plan.state_products.push_back({sum.products[*state]});
    sum.products.erase(sum.products.begin() + static_cast<std::ptrdiff_t>(*state));
    plan.input_products.push_back(std::move(sum.products));
    plan.biases.push_back(std::move(sum.biases));
  }
  return plan;
}

void fuse(const Match& m, const LstmPlan& plan, Rewriter& rw, CellWeights& weights, KnownShapes& shapes) {
  // IR LSTMCell-4 has the gates in the order f, i, c, o, which is that of the plan.
  const std::int64_t hidden = *width_of(m.root());
  const ElementType type = m.root().type().element_type;
  const Node cell = rw.create_node(ops::LSTMCell{.hidden_size = hidden,
                                                 .activations = activation_names(plan.activations),
                                                 .activations_alpha = activation_numbers(plan.activations, &CellActivation::alpha),
                                                 .activations_beta = activation_numbers(plan.activations, &CellActivation::beta)},
                                   {side_by_side(rw, plan.x), plan.hidden, plan.before, weights.matrix(plan.input_products, hidden),
                                    weights.matrix(plan.state_products, hidden), weights.bias(plan.biases, hidden, type)});
  const Node after = plan.after.node();
  shapes.set(cell.output(0), shapes.of(m.root()));
  shapes.set(cell.output(1), shapes.of(plan.after));
  rw.replace_uses(plan.after, cell.output(1));
  rw.replace(m.root().node(), {cell.output(0)}, m.nodes());
  if (after.alive()) rw.erase(after);
}

Expected<bool> fuse_lstm_steps(Graph& graph, KnownShapes& shapes) {
  if (!graph.has_op(ops::MatMul::id.type)) return false;
  const LstmStep step;
  const Matcher matcher(step.root);
  Rewriter rw(graph);
  CellWeights weights(rw);
  for (const Node node : graph.nodes()) {
    if (!node.is<ops::Multiply>()) continue;
    const auto match = matcher.match(node.output());
    const auto plan = match ? plan_of(step, *match, shapes) : std::nullopt;
    if (plan) fuse(*match, *plan, rw, weights, shapes);
    if (rw.error()) return *rw.error();
  }
  return rw.has_changed();
}

}  // namespace

/// sigmoid, tanh and products with constant weights that are one step of an LSTM -> LSTMCell-4. The forget bias goes into the bias.
void register_lstm_cell_fusion(PassRegistry& passes) {
  passes.add(graph_pass("LstmCellFusion")
                 .run_after({"LoopConstants", "ClampFusion"})
                 .run_before({"LinearNormalization", "TransposeFusion"})
                 .only_top_level()
                 .run([](Graph& graph, PassContext&) { return for_each_graph(graph, fuse_lstm_steps); }));
}

}  // namespace mo::middle
