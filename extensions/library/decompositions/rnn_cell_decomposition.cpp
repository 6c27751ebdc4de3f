#include "core/pass/library.hpp"
#include "extensions/library/support/gate_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {

void register_rnn_cell_decomposition(PassLibrary& library) {
  library.add(rewrite("RNNCellDecomposition")
                  .described("RNNCell(x, h, W, R, B)", "f(x W^T + (h R^T + B)), f of the clipped sum", "f is sigmoid, tanh, relu or hardsigmoid")
                  .match(pattern::op<ops::RNNCell>())
                  .replace(of_op<ops::RNNCell>([](const Node& node, const ops::RNNCell& op, Rewriter& rw) -> Replacement {
                    using namespace build;
                    const CellFunctions functions(op);
                    if (!functions.are_ops(1)) return declined("a function is no op");
                    const auto input = [&](std::size_t i) { return term(rw, node.input(i)); };
                    const Term recurrence = times_weights(input(1), input(3));
                    const Term sum = times_weights(input(0), input(2)) + (node.input(4) ? recurrence + input(4) : recurrence);
                    return functions.of_clipped(sum, 0).value();
                  })));
}

}  // namespace mo::library::decompositions
