#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// A function of one number, with up to two parameters.
struct Activation {
  enum class Kind {
    sigmoid,
    tanh,
    relu,
    hard_sigmoid,
    scaled_tanh,
    leaky_relu,
    thresholded_relu,
    affine,
    elu,
    soft_sign,
    soft_plus
  };
  Kind kind = Kind::tanh;
  double alpha = 0;
  double beta = 0;

  /// By the names that IR and ONNX give them, in any case, with the parameters ONNX defines as defaults; nothing for
  /// another name.
  static std::optional<Activation> named(std::string_view name);
};

enum class CellKind { rnn, gru, lstm };

/// Rows of W, R and B per element of the state: 1, 3 (update, reset, hidden) and 4 gates.
constexpr std::int64_t gate_count(CellKind kind) { return kind == CellKind::rnn ? 1 : kind == CellKind::gru ? 3 : 4; }

enum class Direction { forward, reverse, bidirectional };
inline constexpr std::array<std::string_view, 3> kDirectionNames{"forward", "reverse", "bidirectional"};
constexpr const auto& names_of(Direction) { return kDirectionNames; }

struct RecurrentParameters {
  CellKind kind = CellKind::lstm;
  std::vector<Activation> activations;  ///< f; f, g; f, g, h
  double clip = 0;                      ///< bound of what the activations get; 0: none
  /// GRU: the reset gate scales R * h + Rb; then B has 4 rows
  bool linear_before_reset = false;
  bool input_forget = false;                     ///< LSTM: the input gate is 1 - forget gate
  std::array<std::size_t, 4> gates{0, 1, 2, 3};  ///< LSTM: places of f, i, c, o in W, R and B
  Direction direction = Direction::forward;
};

/// Inputs of a sequence. A cell is a sequence of length 1 in one direction.
struct RecurrentInputs {
  Tensor data;                        ///< [batch, length, input]
  Tensor hidden;                      ///< [batch, directions, hidden]
  Tensor cell;                        ///< LSTM: as hidden
  Tensor weights;                     ///< [directions, gates * hidden, input]
  Tensor recurrence;                  ///< [directions, gates * hidden, hidden]
  Tensor bias;                        ///< [directions, gates * hidden], or empty
  std::vector<std::int64_t> lengths;  ///< of each batch, at most the length of data
};

struct RecurrentOutputs {
  Tensor all;     ///< [batch, directions, length, hidden], zeros after the end of a sequence
  Tensor hidden;  ///< [batch, directions, hidden]
  Tensor cell;    ///< LSTM: as hidden
};

/// Shapes must fit each other (asserted by the accesses); real element types, all the same. Errors: MO-CORE-0001
/// (memory).
Expected<RecurrentOutputs> run_recurrent(const RecurrentInputs& inputs, const RecurrentParameters& parameters);

}  // namespace mo::ops::reference
