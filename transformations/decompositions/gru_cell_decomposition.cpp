#include "core/registry/pass_registry.hpp"
#include "ops/recurrent_cells.hpp"
#include "transformations/support/cell_arithmetic.hpp"

namespace mo::transformations {

void register_gru_cell_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("GRUCellDecomposition")
          .described("GRUCell(x, h, W, R, B)",
                     "(1 - z) * n + z * h with z = f(x Wz^T + (h Rz^T + Bz)), r likewise, n = g(x Wn^T + ((r * h) Rn^T "
                     "+ Bn)); with "
                     "linear_before_reset n = g(x Wn^T + (r * (h Rn^T + Rbn) + Wbn))",
                     "all functions are sigmoid, tanh, relu or hardsigmoid; there is a bias")
          .match(pattern::op<ops::GRUCell>())
          .replace([](const Match& m, Rewriter& rw) { return gru_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::transformations
