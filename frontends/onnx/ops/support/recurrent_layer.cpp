#include "frontends/onnx/ops/support/recurrent_layer.hpp"

#include <algorithm>

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

const RecurrentFunction* find_recurrent_function(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  for (const RecurrentFunction& function : kRecurrentFunctions)
    if (function.onnx == name) return &function;
  return nullptr;
}

/// ONNX: alphas and betas are consumed in order by the functions that have one.
Expected<std::vector<CellActivations>> activations_of(const FrameworkNode& node,
                                                      const std::vector<std::string>& defaults,
                                                      std::size_t directions) {
  auto names = node.attr("activations", std::vector<std::string>());
  if (names.empty())
    for (std::size_t i = 0; i < directions; ++i) names.insert(names.end(), defaults.begin(), defaults.end());
  const auto alphas = node.attr("activation_alpha", std::vector<double>());
  const auto betas = node.attr("activation_beta", std::vector<double>());
  if (names.size() != defaults.size() * directions)
    return node
        .error("MO-ONNX-0215", "there are {} activations instead of {}", names.size(), defaults.size() * directions)
        .hint("each direction has {} of them", defaults.size());
  std::vector<CellActivations> made(directions);
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const RecurrentFunction* function = find_recurrent_function(names[i]);
    if (!function)
      return node.error("MO-ONNX-0215", "the activation {} is not known", names[i])
          .hint(
              "ONNX has Sigmoid, Tanh, Relu, HardSigmoid, Elu, LeakyRelu, ThresholdedRelu, Affine, ScaledTanh, "
              "Softsign and Softplus");
    CellActivations& direction = made[i / defaults.size()];
    direction.names.emplace_back(function->ir);
    direction.alphas.push_back(!function->alpha             ? 0
                               : next_alpha < alphas.size() ? alphas[next_alpha++]
                                                            : *function->alpha);
    direction.betas.push_back(!function->beta ? 0 : next_beta < betas.size() ? betas[next_beta++] : *function->beta);
  }
  return made;
}

/// The hidden size from R [directions, gates * hidden, hidden], or from an initial state; 0 when they do not tell it.
std::int64_t hidden_size_of(const FrameworkNode& node) {
  for (const std::size_t input : {2, 5, 6})
    if (const PartialShape& shape = node.input_type(input).shape; shape.size() == 3 && shape[2].is_known())
      return shape[2].value();
  return 0;
}

}  // namespace

std::vector<CellFunction> CellActivations::functions() const {
  std::vector<CellFunction> made;
  for (std::size_t i = 0; i < names.size(); ++i) made.push_back({names[i], alphas[i], betas[i]});
  return made;
}

bool RecurrentLayer::step_by_step() const {
  const std::vector<std::string>& names = activations.front().names;
  const bool in_sequences = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "sigmoid" || name == "tanh" || name == "relu";
  });
  return !in_sequences || activations.front() != activations.back();
}

Expected<RecurrentLayer> read_recurrent_layer(const FrameworkNode& node,
                                              const std::vector<std::string>& default_activations) {
  RecurrentLayer layer;
  const std::string direction = node.attr("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return node.error("MO-ONNX-0216", "direction is \"{}\"", direction)
        .hint("direction is forward, reverse or bidirectional");
  if (direction != "forward")
    layer.direction =
        direction == "reverse" ? ops::RecurrentDirection::reverse : ops::RecurrentDirection::bidirectional;
  MO_ASSIGN(layer.activations, activations_of(node, default_activations, direction == "bidirectional" ? 2 : 1));
  layer.clip = node.attr("clip", 0.0);
  if (!(layer.clip >= 0))
    return node.error("MO-ONNX-0216", "clip is {}", layer.clip).hint("clip is the largest magnitude, above 0");
  const auto hidden = node.optional_attr<std::int64_t>("hidden_size");
  if (hidden && (*hidden < 1 || *hidden > (std::int64_t{1} << 32)))
    return node.error("MO-ONNX-0216", "hidden_size is {}", *hidden)
        .hint("hidden_size is the length of the state, at least 1");
  layer.hidden = hidden ? *hidden : hidden_size_of(node);
  // no attribute, and nothing in the shapes of R, initial_h and initial_c: weights that are inputs of the model
  if (layer.hidden < 1)
    return node.error("MO-ONNX-0233", "hidden_size is not known")
        .hint(
            "the model needs the attribute hidden_size, or weights of a known shape: give the shapes of its inputs "
            "with --input_shape");
  // ONNX opset 14: with layout 1 the batch comes first.
  const std::int64_t layout = node.version() >= 14 ? node.attr<std::int64_t>("layout", 0) : 0;
  if (layout != 0 && layout != 1) return node.error("MO-ONNX-0216", "layout is {}", layout).hint("layout is 0 or 1");
  layer.batch_first = layout == 1;
  node.ignore({"output_sequence"}, "whether output Y is used (opset 1), which follows from its readers");
  return layer;
}

}  // namespace mo::onnx
