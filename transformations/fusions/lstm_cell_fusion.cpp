#include <algorithm>
#include <utility>

#include "ops/pattern.hpp"
#include "ops/recurrent_cells.hpp"
#include "transformations/fusions/support/cell_fusion.hpp"

namespace mo::transformations {
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
struct LstmPlan : CellPlan {  // gates f, i, c, o, which is the order of LSTMCell-4
  Value before;
  Value after;  ///< the cell state that the step makes
};

/// Which of the tensors is the state before: the other half of a cell's outputs, else a Parameter of a body, else the
/// last one. Any tensor as wide as the state will do for the numbers; this choice lets sequences be found.
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
  if (!hidden || width_of(plan.before) != hidden || !shapes.same_batch(plan.before, m.root()) ||
      !shapes.same_batch(plan.before, plan.after))
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
  // Both factors of i * g are gates, so that the pattern takes them in the order of the model.
  if (functions[1] != functions[0] && functions[2] == functions[0]) {
    std::swap(functions[1], functions[2]);
    std::swap(sums[1], sums[2]);
  }
  // IR LSTMCell-4 has one function for f, i and o, one for c, and one for what is seen of the cell state.
  if (functions[0] != functions[1] || functions[0] != functions[3]) return std::nullopt;
  const Node seen = m.node(p.seen);
  plan.activations = {functions[0],
                      functions[2],
                      {seen.is<ops::Tanh>()   ? "tanh"
                       : seen.is<ops::ReLU>() ? "relu"
                                              : "sigmoid"}};
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
  ops::LSTMCell op;
  const std::vector<Value> inputs = describe_cell(op, plan, m.root(), {plan.hidden, plan.before}, rw, weights);
  const Node cell = rw.create_node(std::move(op), inputs);
  const Node after = plan.after.node();
  shapes.set(cell.output(0), shapes.of(m.root()));
  shapes.set(cell.output(1), shapes.of(plan.after));
  rw.replace_uses(plan.after, cell.output(1));
  rw.replace(m.root().node(), {cell.output(0)}, m.nodes());
  erase_if_dead(after);
}

}  // namespace

/// sigmoid, tanh and products with constant weights that are one step of an LSTM -> LSTMCell-4. The forget bias goes
/// into the bias.
void register_lstm_cell_fusion(PassRegistry& passes) {
  passes.add(cell_fusion<ops::Multiply, LstmStep>(
      "LstmCellFusion",
      [](const LstmStep& step, const Match& m, const KnownShapes& shapes) { return plan_of(step, m, shapes); },
      [](const Match& m, const LstmPlan& plan, Rewriter& rw, CellWeights& weights, KnownShapes& shapes) {
        fuse(m, plan, rw, weights, shapes);
      }));
}

}  // namespace mo::transformations
