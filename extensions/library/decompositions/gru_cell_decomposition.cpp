#include "core/pass/library.hpp"
#include "extensions/middle/support/cell_arithmetic.hpp"
#include "ops/recurrent_cells.hpp"

namespace mo::library::decompositions {

void register_gru_cell_decomposition(PassLibrary& library) {
  library.add(
      rewrite("GRUCellDecomposition")
          .described("GRUCell(x, h, W, R, B)",
                     "(1 - z) * n + z * h with z = f(x Wz^T + (h Rz^T + Bz)), r likewise, n = g(x Wn^T + ((r * h) Rn^T "
                     "+ Bn)); with "
                     "linear_before_reset n = g(x Wn^T + (r * (h Rn^T + Rbn) + Wbn))",
                     "all functions are sigmoid, tanh, relu or hardsigmoid; there is a bias")
          .match(pattern::op<ops::GRUCell>())
          .replace([](const Match& m, Rewriter& rw) { return middle::gru_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::library::decompositions
