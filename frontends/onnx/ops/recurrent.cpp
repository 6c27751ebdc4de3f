#include <algorithm>

#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

struct RecurrentFunction {
  std::string_view onnx;
  std::string_view ir;
  std::optional<double> alpha;  ///< default; nothing: the function has no alpha
  std::optional<double> beta;
};

/// Activations and the defaults of the ONNX ops of the same names.
constexpr RecurrentFunction kRecurrentFunctions[] = {
    {"sigmoid", "sigmoid", {}, {}},
    {"tanh", "tanh", {}, {}},
    {"relu", "relu", {}, {}},
    {"softsign", "softsign", {}, {}},
    {"softplus", "softplus", {}, {}},
    {"elu", "elu", 1.0, {}},
    {"leakyrelu", "leakyrelu", 0.01, {}},
    {"thresholdedrelu", "thresholdedrelu", 1.0, {}},
    {"affine", "affine", 1.0, 0.0},
    {"hardsigmoid", "hardsigmoid", 0.2, 0.5},
    {"scaledtanh", "scaledtanh", 1.0, 1.0},
};

const RecurrentFunction* find_function(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  for (const RecurrentFunction& function : kRecurrentFunctions)
    if (function.onnx == name) return &function;
  return nullptr;
}

/// The functions of one direction: names, and alpha and beta at the place of their function.
struct Activations {
  std::vector<std::string> names;
  std::vector<double> alphas;
  std::vector<double> betas;
  bool operator==(const Activations&) const = default;
};

/// ONNX: alphas and betas are consumed in order by the functions that have one.
Expected<std::vector<Activations>> activations_of(const FrameworkNode& node, const std::vector<std::string>& defaults, std::size_t directions) {
  auto names = node.attr("activations", std::vector<std::string>());
  if (names.empty())
    for (std::size_t i = 0; i < directions; ++i) names.insert(names.end(), defaults.begin(), defaults.end());
  const auto alphas = node.attr("activation_alpha", std::vector<double>());
  const auto betas = node.attr("activation_beta", std::vector<double>());
  if (names.size() != defaults.size() * directions)
    return node.error("MO-ONNX-0215", "there are {} activations instead of {}", names.size(), defaults.size() * directions)
        .hint("each direction has {} of them", defaults.size());
  std::vector<Activations> made(directions);
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const RecurrentFunction* function = find_function(names[i]);
    if (!function)
      return node.error("MO-ONNX-0215", "the activation {} is not known", names[i])
          .hint("ONNX has Sigmoid, Tanh, Relu, HardSigmoid, Elu, LeakyRelu, ThresholdedRelu, Affine, ScaledTanh, Softsign and Softplus");
    Activations& direction = made[i / defaults.size()];
    direction.names.emplace_back(function->ir);
    direction.alphas.push_back(!function->alpha ? 0 : next_alpha < alphas.size() ? alphas[next_alpha++] : *function->alpha);
    direction.betas.push_back(!function->beta ? 0 : next_beta < betas.size() ? betas[next_beta++] : *function->beta);
  }
  return made;
}

/// LSTMSequence and its like know these three; other functions make the replacer write out the steps.
bool is_in_sequences(const Activations& activations) {
  return std::all_of(activations.names.begin(), activations.names.end(),
                     [](const std::string& name) { return name == "sigmoid" || name == "tanh" || name == "relu"; });
}

/// What LSTM, GRU and RNN have in common. Activations of the second direction have names of their own only when they differ.
Expected<AttributeMap> recurrent_attributes(const FrameworkNode& node, const std::vector<std::string>& default_activations) {
  const std::string direction = node.attr("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return node.error("MO-ONNX-0216", "direction is \"{}\"", direction).hint("direction is forward, reverse or bidirectional");
  const bool both = direction == "bidirectional";
  MO_ASSIGN(const std::vector<Activations> activations, activations_of(node, default_activations, both ? 2 : 1));
  const double clip = node.attr("clip", 0.0);
  if (!(clip >= 0)) return node.error("MO-ONNX-0216", "clip is {}", clip).hint("clip is the largest magnitude, above 0");
  AttributeMap attributes{{"direction", direction}, {"activations", activations[0].names}, {"clip", clip}};
  const bool differ = both && activations[0] != activations[1];
  if (differ || !is_in_sequences(activations[0])) {
    attributes.set("step_by_step", true);
    attributes.set("activations_alpha", activations[0].alphas);
    attributes.set("activations_beta", activations[0].betas);
  }
  if (differ) {
    attributes.set("second_activations", activations[1].names);
    attributes.set("second_activations_alpha", activations[1].alphas);
    attributes.set("second_activations_beta", activations[1].betas);
  }
  if (const auto hidden = node.optional_attr<std::int64_t>("hidden_size")) {
    if (*hidden < 1 || *hidden > (std::int64_t{1} << 32))
      return node.error("MO-ONNX-0216", "hidden_size is {}", *hidden).hint("hidden_size is the length of the state, at least 1");
    attributes.set("hidden_size", *hidden);
  }
  // ONNX opset 14: with layout 1 the batch comes first.
  const std::int64_t layout = node.version() >= 14 ? node.attr<std::int64_t>("layout", 0) : 0;
  if (layout != 0 && layout != 1) return node.error("MO-ONNX-0216", "layout is {}", layout).hint("layout is 0 or 1");
  attributes.set("batch_first", layout == 1);
  node.ignore({"output_sequence"});  // opset 1: whether Y is wanted, which its readers say
  return attributes;
}

Expected<Op> extract_lstm(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, recurrent_attributes(node, {"Sigmoid", "Tanh", "Tanh"}));
  if (node.attr("input_forget", false)) {
    attributes.set("input_forget", true);
    attributes.set("step_by_step", true);
  }
  return front_op("OnnxLSTM", std::move(attributes));
}

Expected<Op> extract_gru(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, recurrent_attributes(node, {"Sigmoid", "Tanh"}));
  attributes.set("linear_before_reset", node.attr("linear_before_reset", false));
  return front_op("OnnxGRU", std::move(attributes));
}

Expected<Op> extract_rnn(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, recurrent_attributes(node, {"Tanh"}));
  return front_op("OnnxRNN", std::move(attributes));
}

}  // namespace

void register_recurrent(OperatorTable& table) {
  for (const VersionRange range : {versions(1, 6), versions(7, 13), since(14)}) {
    table.extract("LSTM", range, extract_lstm);
    table.extract("RNN", range, extract_rnn);
  }
  // `linear_before_reset` came with opset 3.
  for (const VersionRange range : {versions(1, 2), versions(3, 6), versions(7, 13), since(14)}) table.extract("GRU", range, extract_gru);
}

}  // namespace mo::onnx
