#include "core/pass/library.hpp"
#include "extensions/middle/support/cell_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {

void register_lstm_cell_decomposition(PassLibrary& library) {
  library.add(
      rewrite("LSTMCellDecomposition")
          .described("LSTMCell(x, h, c, W, R, B)",
                     "c' = f * c + i * n and o * Tanh(c'), where f, i, n, o are functions of four parts of x W^T + (h "
                     "R^T + B)",
                     "all functions are sigmoid, tanh, relu or hardsigmoid; gates in the order forget, input, cell, "
                     "output; no peepholes")
          .match(pattern::any_op<ops::v0::LSTMCell, ops::v4::LSTMCell>())
          .replace([](const Match& m, Rewriter& rw) { return middle::lstm_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::library::decompositions
