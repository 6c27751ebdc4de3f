#pragma once

#include "core/rewrite.hpp"

/// Recurrent cells, written out as arithmetic. They decline a cell with a function that is not an op: sigmoid, tanh,
/// relu and hardsigmoid are.
namespace mo::transformations {

/// RNNCell(x, h, W, R, B): f(x W^T + (h R^T + B)).
Replacement rnn_cell_arithmetic(const Node& node, Rewriter& rw);

/// GRUCell(x, h, W, R, B): (1 - z) * n + z * h with z = f(x Wz^T + (h Rz^T + Bz)), r likewise, n = g(x Wn^T + ((r * h)
/// Rn^T + Bn)); with linear_before_reset n = g(x Wn^T + (r * (h Rn^T + Rbn) + Wbn)). Declines a cell without a bias.
Replacement gru_cell_arithmetic(const Node& node, Rewriter& rw);

/// LSTMCell(x, h, c, W, R, B) of opset 1 or 4: c' = f * c + i * n and o * g(c'), where f, i, n, o are functions of four
/// parts of x W^T + (h R^T + B). Declines what only opset 1 has: peepholes, coupled gates, another order of gates.
Replacement lstm_cell_arithmetic(const Node& node, Rewriter& rw);

}  // namespace mo::transformations
