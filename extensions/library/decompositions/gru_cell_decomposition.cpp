#include "core/pass/library.hpp"
#include "extensions/library/support/gate_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {
namespace {

/// What the hidden gate adds to x W^T: the reset gate scales the state, or with `linear_before_reset` what the recurrence makes of it.
build::Term reset_recurrence(const build::Term& h, const build::Term& reset, const build::Term& weights, const std::vector<build::Term>& biases) {
  using namespace build;
  if (biases.size() == 3) return times_weights(reset * h, weights) + biases[2];
  return reset * (times_weights(h, weights) + biases[3]) + biases[2];
}

}  // namespace

void register_gru_cell_decomposition(PassLibrary& library) {
  library.add(rewrite("GRUCellDecomposition")
                  .described("GRUCell(x, h, W, R, B)",
                             "(1 - z) * n + z * h with z = f(x Wz^T + (h Rz^T + Bz)), r likewise, n = g(x Wn^T + ((r * h) Rn^T + Bn)); with "
                             "linear_before_reset n = g(x Wn^T + (r * (h Rn^T + Rbn) + Wbn))",
                             "all functions are sigmoid, tanh, relu or hardsigmoid; there is a bias")
                  .match(pattern::op<ops::GRUCell>())
                  .replace(of_op<ops::GRUCell>([](const Node& node, const ops::GRUCell& op, Rewriter& rw) -> Replacement {
                    using namespace build;
                    const CellFunctions functions(op);
                    if (!functions.are_ops(2)) return declined("a function is no op");
                    if (!node.input(4)) return declined("there is no bias");
                    const auto input = [&](std::size_t i) { return term(rw, node.input(i)); };
                    const Term h = input(1);
                    const std::vector<Term> products = equal_parts(times_weights(input(0), input(2)), 1, 3);
                    const std::vector<Term> weights = equal_parts(input(3), 0, 3);
                    const std::vector<Term> biases = equal_parts(input(4), 0, op.linear_before_reset ? 4 : 3);
                    const auto gate = [&](std::size_t i) {
                      return functions.of_clipped(products[i] + (times_weights(h, weights[i]) + biases[i]), 0);
                    };
                    const Term update = gate(0);
                    const Term reset = gate(1);
                    const Term fresh = functions.of_clipped(products[2] + reset_recurrence(h, reset, weights[2], biases), 1);
                    const Term one(rw, one_number_for(rw, update, 1), update.type());
                    return ((one - update) * fresh + update * h).value();
                  })));
}

}  // namespace mo::library::decompositions
