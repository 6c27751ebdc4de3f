#include "core/registry/pass_registry.hpp"
#include "ops/recurrent_cells.hpp"
#include "transformations/support/cell_arithmetic.hpp"

namespace mo::transformations {

void register_lstm_cell_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("LSTMCellDecomposition")
          .described("LSTMCell(x, h, c, W, R, B)",
                     "c' = f * c + i * n and o * Tanh(c'), where f, i, n, o are functions of four parts of x W^T + (h "
                     "R^T + B)",
                     "all functions are sigmoid, tanh, relu or hardsigmoid; gates in the order forget, input, cell, "
                     "output; no peepholes")
          .match(pattern::any_op<ops::v0::LSTMCell, ops::v4::LSTMCell>())
          .replace([](const Match& m, Rewriter& rw) { return lstm_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::transformations
