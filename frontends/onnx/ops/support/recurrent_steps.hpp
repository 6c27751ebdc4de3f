#pragma once

#include <string>
#include <vector>

#include "core/pass/rewriter.hpp"

/// A recurrent layer as a TensorIterator over plain ops: for what LSTMSequence, GRUSequence and RNNSequence cannot say
/// (peepholes, coupled gates, any activation of ONNX).
namespace mo::onnx {

/// An activation of ONNX's recurrent ops: sigmoid, tanh, relu, softsign, softplus, elu, leakyrelu, thresholdedrelu,
/// affine, hardsigmoid, scaledtanh.
struct CellFunction {
  std::string name;
  double alpha = 0;
  double beta = 0;
};

enum class CellKind { lstm, gru, rnn };

/// One direction of a layer; sizes: T steps, N sequences, H hidden, I inputs, G gates (lstm: 4, in the order input,
/// output, forget, cell; gru: 3, in the order update, reset, hidden; rnn: 1).
struct RecurrentSteps {
  CellKind kind = CellKind::rnn;
  std::int64_t hidden = 0;
  std::vector<CellFunction> functions;  ///< lstm: 3, gru: 2, rnn: 1
  double clip = 0;                      ///< largest magnitude of what activations get; 0: any
  bool reverse = false;                 ///< from the last step to the first
  bool batch_first = false;             ///< x is [N, T, I] instead of [T, N, I]
  bool input_forget = false;            ///< lstm: forget = 1 - input
  bool linear_before_reset = false;     ///< gru: the reset gate scales the product instead of the state
  Value x;
  Value weights;       ///< [G * H, I]
  Value recurrence;    ///< [G * H, H]
  Value bias;          ///< [2 * G * H]: of the input, of the state; may be empty
  Value lengths;       ///< [N], how many steps of each sequence count; may be empty
  Value hidden_state;  ///< [N, H]
  Value cell_state;    ///< lstm
  Value peepholes;     ///< lstm: [3 * H] of input, output, forget; may be empty
};

/// What the layer gives.
struct RecurrentStates {
  Value all;   ///< [T, N, H], or [N, T, H] with `batch_first`; zeros after the end of a sequence
  Value last;  ///< [N, H]
  Value cell;  ///< lstm: [N, H]
};

Expected<RecurrentStates> recurrent_steps(Rewriter& rw, const RecurrentSteps& layer);

}  // namespace mo::onnx
