#include "core/pass/library.hpp"
#include "extensions/library/support/gate_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {
namespace {

/// h and c. opset1 adds orders of gates and peepholes to what opset4 has.
Replacement decomposed(const Node& node, const ops::v4::LSTMCell& op, Rewriter& rw) {
  using namespace build;
  const CellFunctions functions(op);
  if (!functions.are_ops(3)) return declined("a function is no op");
  const auto input = [&](std::size_t i) { return term(rw, node.input(i)); };
  const Term recurrence = times_weights(input(1), input(4));
  const Term sum = times_weights(input(0), input(3)) + (node.input(5) ? recurrence + input(5) : recurrence);
  const std::vector<Term> gates = equal_parts(sum, 1, 4);
  const Term forget = functions.of_clipped(gates[0], 0);
  const Term take = functions.of_clipped(gates[1], 0);
  const Term fresh = functions.of_clipped(gates[2], 1);
  const Term give = functions.of_clipped(gates[3], 0);
  const Term cell = forget * input(2) + take * fresh;
  return Outputs{(give * functions.of(cell, 2)).value(), cell.value()};
}

}  // namespace

void register_lstm_cell_decomposition(PassLibrary& library) {
  library.add(rewrite("LSTMCellDecomposition")
                  .described("LSTMCell(x, h, c, W, R, B)",
                             "c' = f * c + i * n and o * Tanh(c'), where f, i, n, o are functions of four parts of x W^T + (h R^T + B)",
                             "all functions are sigmoid, tanh, relu or hardsigmoid; gates in the order forget, input, cell, output; no peepholes")
                  .match(pattern::any_op<ops::v0::LSTMCell, ops::v4::LSTMCell>())
                  .replace([](const Match& m, Rewriter& rw) -> Replacement {
                    const Node node = m.root().node();
                    const auto* const first = node.as<ops::v0::LSTMCell>();
                    if (!first) return decomposed(node, *node.as<ops::v4::LSTMCell>(), rw);
                    if (first->weights_format != ops::LstmWeightsFormat::fico || first->input_forget || node.input(6))
                      return declined("another order of gates, coupled gates or peepholes");
                    return decomposed(node, *first, rw);
                  }));
}

}  // namespace mo::library::decompositions
