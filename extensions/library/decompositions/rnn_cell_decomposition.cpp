#include "core/pass/library.hpp"
#include "extensions/middle/support/cell_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {

void register_rnn_cell_decomposition(PassLibrary& library) {
  library.add(
      rewrite("RNNCellDecomposition")
          .described("RNNCell(x, h, W, R, B)", "f(x W^T + (h R^T + B)), f of the clipped sum",
                     "f is sigmoid, tanh, relu or hardsigmoid")
          .match(pattern::op<ops::RNNCell>())
          .replace([](const Match& m, Rewriter& rw) { return middle::rnn_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::library::decompositions
