#include <algorithm>

#include "ops/pattern.hpp"
#include "ops/recurrent_cells.hpp"
#include "transformations/fusions/support/cell_fusion.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// h' = z * h + (1 - z) * n
struct GruStep {
  Pat z = any().where(may_be_gate, "what may be a gate");
  Pat n = any().where(may_be_gate, "what may be a gate");
  Pat before = any().where(is_matrix, "a matrix");
  Pat rest = number(1) - z;
  Pat kept = z * before;
  Pat added = rest * n;
  Pat root = kept + added;
};

/// A step of a GRU that was understood; gates in the order of the IR: update, reset, hidden.
struct GruPlan : CellPlan {
  bool linear_before_reset = false;  ///< a fourth part of the biases is that of the state's product
};

/// What the reset gate scales, and the gate.
struct Reset {
  Gate gate;
  GateSum sum;
  Value scaled;
};

/// reset * `wanted` (any tensor when empty), with a gate that can be told.
std::optional<Reset> reset_of(const Value& product, const Value& wanted, GateReader& reader) {
  const Node node = product.node();
  if (!node.is<ops::Multiply>() || !node.input(0) || !node.input(1)) return std::nullopt;
  for (const std::size_t side : {0, 1}) {
    const Value scaled = node.input(1 - side);
    if (wanted && scaled != wanted) continue;
    GateReader trial = reader;
    trial.add(node);
    const auto gate = trial.gate(node.input(side));
    auto sum = gate ? trial.sum(gate->sum) : std::nullopt;
    if (!sum || !sum->others.empty() || sum->products.empty()) continue;
    reader = std::move(trial);
    return Reset{*gate, *std::move(sum), scaled};
  }
  return std::nullopt;
}

/// Takes the products with `tensor` out of a sum; exactly one is expected.
std::optional<GateProduct> take_product(GateSum& sum, const Value& tensor) {
  const auto is_it = [&](const GateProduct& p) { return p.tensor == tensor; };
  if (std::count_if(sum.products.begin(), sum.products.end(), is_it) != 1) return std::nullopt;
  const auto at = std::find_if(sum.products.begin(), sum.products.end(), is_it);
  GateProduct product = *at;
  sum.products.erase(at);
  return product;
}

/// The candidate n: what the reset gate scales is the state, or the product of the state.
struct Candidate {
  Reset reset;
  GateProduct state;
  bool linear_before_reset = false;
  std::vector<Columns> state_biases;
};

/// x W + (r * h) R + b
std::optional<Candidate> reset_before(GateSum& sum, const Value& hidden, GateReader& reader) {
  if (!sum.others.empty()) return std::nullopt;
  for (std::size_t i = 0; i < sum.products.size(); ++i) {
    const Value tensor = sum.products[i].tensor;
    auto reset = reset_of(tensor, hidden, reader);
    if (!reset) continue;
    // Nothing else may read r * h, nor the Concat that joins it.
    if (sum.products[i].concat) reader.add(sum.products[i].concat);
    const auto state = take_product(sum, tensor);
    return state ? std::optional(Candidate{*std::move(reset), *state, false, {}}) : std::nullopt;
  }
  return std::nullopt;
}

/// x W + b + r * (h R + d)
std::optional<Candidate> reset_behind(GateSum& sum, const Value& hidden, GateReader& reader) {
  if (sum.others.size() != 1) return std::nullopt;
  auto reset = reset_of(sum.others.front(), {}, reader);
  const auto width = reset ? width_of(reset->scaled) : std::nullopt;
  auto scaled = width ? reader.sum({reset->scaled, 0, *width}) : std::nullopt;
  if (!scaled || !scaled->others.empty() || scaled->products.size() != 1 || scaled->products.front().tensor != hidden)
    return std::nullopt;
  sum.others.clear();
  return Candidate{*std::move(reset), scaled->products.front(), true, std::move(scaled->biases)};
}

std::optional<GruPlan> plan_of(const GruStep& p, const Match& m, const KnownShapes& shapes) {
  GruPlan plan;
  plan.hidden = m[p.before];
  const auto hidden = width_of(m.root());
  if (!hidden || width_of(plan.hidden) != hidden || !shapes.same_batch(plan.hidden, m.root())) return std::nullopt;
  GateReader reader(shapes);
  for (const Pat& part : {p.root, p.kept, p.added, p.rest}) reader.add(m.node(part));
  const auto update = reader.gate(m[p.z]);
  const auto fresh = reader.gate(m[p.n]);
  if (!update || !fresh || update->sum.count != *hidden || fresh->sum.count != *hidden) return std::nullopt;
  auto update_sum = reader.sum(update->sum);
  auto fresh_sum = reader.sum(fresh->sum);
  if (!update_sum || !fresh_sum) return std::nullopt;
  auto candidate = reset_behind(*fresh_sum, plan.hidden, reader);
  if (!candidate) candidate = reset_before(*fresh_sum, plan.hidden, reader);
  if (!candidate || candidate->reset.gate.sum.count != *hidden ||
      update->activation != candidate->reset.gate.activation)
    return std::nullopt;
  GateSum& reset_sum = candidate->reset.sum;
  const auto update_state = take_product(*update_sum, plan.hidden);
  const auto reset_state = take_product(reset_sum, plan.hidden);
  const auto x = update_state && reset_state ? common_tensors({&*update_sum, &reset_sum, &*fresh_sum}) : std::nullopt;
  if (!x || x->empty() || !reader.is_closed({m.root().node()})) return std::nullopt;
  for (const GateProduct& product : update_sum->products) {
    const bool joined = product.concat && product.concat == update_state->concat;
    if (!joined && !shapes.same_batch(product.tensor, plan.hidden)) return std::nullopt;
  }
  plan.x = *x;
  plan.linear_before_reset = candidate->linear_before_reset;
  plan.activations = {update->activation, fresh->activation};
  plan.input_products = {update_sum->products, reset_sum.products, fresh_sum->products};
  plan.state_products = {{*update_state}, {*reset_state}, {candidate->state}};
  plan.biases = {update_sum->biases, reset_sum.biases, fresh_sum->biases};
  if (plan.linear_before_reset) plan.biases.push_back(candidate->state_biases);
  return plan;
}

void fuse(const Match& m, const GruPlan& plan, Rewriter& rw, CellWeights& weights, KnownShapes& shapes) {
  ops::GRUCell op;
  op.linear_before_reset = plan.linear_before_reset;
  const std::vector<Value> inputs = describe_cell(op, plan, m.root(), {plan.hidden}, rw, weights);
  const Value cell = rw.create(std::move(op), inputs);
  shapes.set(cell, shapes.of(m.root()));
  rw.replace(m.root().node(), {cell}, m.nodes());
}

}  // namespace

/// sigmoid, tanh and products with constant weights that are one step of a GRU -> GRUCell-3. Where the reset gate
/// scales the product of the state instead of the state (CuDNN, Keras reset_after): linear_before_reset.
void register_gru_cell_fusion(PassRegistry& passes) {
  passes.add(cell_fusion<ops::Add, GruStep>(
      "GruCellFusion",
      [](const GruStep& step, const Match& m, const KnownShapes& shapes) { return plan_of(step, m, shapes); },
      [](const Match& m, const GruPlan& plan, Rewriter& rw, CellWeights& weights, KnownShapes& shapes) {
        fuse(m, plan, rw, weights, shapes);
      }));
}

}  // namespace mo::transformations
