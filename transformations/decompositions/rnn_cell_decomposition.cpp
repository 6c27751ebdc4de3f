#include "core/registry/pass_registry.hpp"
#include "ops/recurrent_cells.hpp"
#include "transformations/support/cell_arithmetic.hpp"

namespace mo::transformations {

void register_rnn_cell_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("RNNCellDecomposition")
                   .described("RNNCell(x, h, W, R, B)", "f(x W^T + (h R^T + B)), f of the clipped sum",
                              "f is sigmoid, tanh, relu or hardsigmoid")
                   .match(pattern::op<ops::RNNCell>())
                   .replace([](const Match& m, Rewriter& rw) { return rnn_cell_arithmetic(m.root().node(), rw); }));
}

}  // namespace mo::transformations
