#pragma once

#include "ops/support/recurrent.hpp"

namespace mo::ops {

namespace v4 {

/// One step of an LSTM: x, h, c, W, R, B give h and c. The gates in W, R and B are in the order forget, input, cell,
/// output.
struct LSTMCell {
  static constexpr OpId id{"LSTMCell", 4};
  static constexpr OpTraits traits{.outputs = 2};
  std::int64_t hidden_size = 0;
  std::vector<std::string> activations{"sigmoid", "tanh", "tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  static constexpr auto attributes =
      Attributes{attr("hidden_size", &LSTMCell::hidden_size), attr("activations", &LSTMCell::activations),
                 attr("activations_alpha", &LSTMCell::activations_alpha),
                 attr("activations_beta", &LSTMCell::activations_beta), attr("clip", &LSTMCell::clip)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v4

namespace v0 {

/// As opset4; the order of the gates is `weights_format`, and an optional input 6 holds peephole weights.
struct LSTMCell : v4::LSTMCell {
  static constexpr OpId id{"LSTMCell", 0};
  bool input_forget = false;
  LstmWeightsFormat weights_format = LstmWeightsFormat::ifco;
  static constexpr auto attributes = Attributes{v4::LSTMCell::attributes, attr("input_forget", &LSTMCell::input_forget),
                                                attr("weights_format", &LSTMCell::weights_format)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

using v4::LSTMCell;

/// One step of a GRU: x, h, W, R, B give h; the gates are in the order update, reset, hidden. With
/// `linear_before_reset` B has a fourth part for what the reset gate scales.
struct GRUCell {
  static constexpr OpId id{"GRUCell", 3};
  std::int64_t hidden_size = 0;
  std::vector<std::string> activations{"sigmoid", "tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  bool linear_before_reset = false;
  static constexpr auto attributes = Attributes{attr("hidden_size", &GRUCell::hidden_size),
                                                attr("activations", &GRUCell::activations),
                                                attr("activations_alpha", &GRUCell::activations_alpha),
                                                attr("activations_beta", &GRUCell::activations_beta),
                                                attr("clip", &GRUCell::clip),
                                                attr("linear_before_reset", &GRUCell::linear_before_reset)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// One step of a plain recurrent cell: h' = f(W x + R h + B).
struct RNNCell {
  static constexpr OpId id{"RNNCell", 0};
  std::int64_t hidden_size = 0;
  std::vector<std::string> activations{"tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  static constexpr auto attributes =
      Attributes{attr("hidden_size", &RNNCell::hidden_size), attr("activations", &RNNCell::activations),
                 attr("activations_alpha", &RNNCell::activations_alpha),
                 attr("activations_beta", &RNNCell::activations_beta), attr("clip", &RNNCell::clip)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
