#pragma once

#include "ops/support/recurrent.hpp"

namespace mo::ops {

namespace v5 {

/// An LSTM over x [batch, length, input]: gives all states [batch, directions, length, hidden], the last one and the
/// last cell state. The gates are in the order forget, input, cell, output.
struct LSTMSequence {
  static constexpr OpId id{"LSTMSequence", 5};
  static constexpr OpTraits traits{.outputs = 3};
  std::int64_t hidden_size = 0;
  RecurrentDirection direction = RecurrentDirection::forward;
  std::vector<std::string> activations{"sigmoid", "tanh", "tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  static constexpr auto attributes = Attributes{attr("hidden_size", &LSTMSequence::hidden_size),
                                                attr("direction", &LSTMSequence::direction),
                                                attr("activations", &LSTMSequence::activations),
                                                attr("activations_alpha", &LSTMSequence::activations_alpha),
                                                attr("activations_beta", &LSTMSequence::activations_beta),
                                                attr("clip", &LSTMSequence::clip)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v5

namespace v0 {

/// As opset5, with peepholes; the order of the gates is `weights_format`.
struct LSTMSequence : v5::LSTMSequence {
  static constexpr OpId id{"LSTMSequence", 0};
  bool input_forget = false;
  LstmWeightsFormat weights_format = LstmWeightsFormat::ifco;
  static constexpr auto attributes =
      Attributes{v5::LSTMSequence::attributes, attr("input_forget", &LSTMSequence::input_forget),
                 attr("weights_format", &LSTMSequence::weights_format)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

using v5::LSTMSequence;

/// A GRU over x [batch, length, input]: gives all states [batch, directions, length, hidden] and the last one.
struct GRUSequence {
  static constexpr OpId id{"GRUSequence", 5};
  static constexpr OpTraits traits{.outputs = 2};
  std::int64_t hidden_size = 0;
  RecurrentDirection direction = RecurrentDirection::forward;
  std::vector<std::string> activations{"sigmoid", "tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  bool linear_before_reset = false;
  static constexpr auto attributes = Attributes{attr("hidden_size", &GRUSequence::hidden_size),
                                                attr("direction", &GRUSequence::direction),
                                                attr("activations", &GRUSequence::activations),
                                                attr("activations_alpha", &GRUSequence::activations_alpha),
                                                attr("activations_beta", &GRUSequence::activations_beta),
                                                attr("clip", &GRUSequence::clip),
                                                attr("linear_before_reset", &GRUSequence::linear_before_reset)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// A plain recurrent cell over x [batch, length, input]: gives all states [batch, directions, length, hidden] and the
/// last one.
struct RNNSequence {
  static constexpr OpId id{"RNNSequence", 5};
  static constexpr OpTraits traits{.outputs = 2};
  std::int64_t hidden_size = 0;
  RecurrentDirection direction = RecurrentDirection::forward;
  std::vector<std::string> activations{"tanh"};
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;
  static constexpr auto attributes = Attributes{attr("hidden_size", &RNNSequence::hidden_size),
                                                attr("direction", &RNNSequence::direction),
                                                attr("activations", &RNNSequence::activations),
                                                attr("activations_alpha", &RNNSequence::activations_alpha),
                                                attr("activations_beta", &RNNSequence::activations_beta),
                                                attr("clip", &RNNSequence::clip)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
