#include "extensions/support/machine_learning.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

constexpr auto kReal = ElementType::f32;

Diagnostic contradiction(const Node& node, std::string_view what, std::size_t have, std::size_t want) {
  return node.error("MO-ONNX-0452", "{}: there are {} numbers where {} are wanted", what, have, want).hint("check how the model was exported");
}

/// x [N, C] * coefficients [rows, C]^T + intercepts [rows].
Expected<Value> linear(const Node& node, Rewriter& rw, const Value& x, std::size_t rows) {
  const Numbers coefficients = list_of<double>(node, "coefficients");
  const Numbers intercepts = list_of<double>(node, "intercepts");
  if (rows == 0 || coefficients.empty() || coefficients.size() % rows != 0) return contradiction(node, "coefficients", coefficients.size(), rows);
  if (!intercepts.empty() && intercepts.size() != rows) return contradiction(node, "intercepts", intercepts.size(), rows);
  const auto columns = static_cast<std::int64_t>(coefficients.size() / rows);
  MO_ASSIGN(const Value weights, real_constant(rw, kReal, {static_cast<std::int64_t>(rows), columns}, coefficients));
  const Value product = rw.create(ops::MatMul{.transpose_b = true}, x, weights);
  if (intercepts.empty()) return product;
  MO_ASSIGN(const Value summands, real_constant(rw, kReal, {static_cast<std::int64_t>(rows)}, intercepts));
  return rw.create(ops::Add{}, product, summands);
}

Replacement linear_regressor(const Node& node, Rewriter& rw) {
  const auto targets = node.attr<std::int64_t>("targets").value_or(1);
  auto y = linear(node, rw, table_of(rw, node.input(0), kReal), targets > 0 ? static_cast<std::size_t>(targets) : 0);
  if (!y) return std::move(y).error();
  return post_transformed(node, rw, *y);
}

/// Outputs: the label of the best score, and the scores. With two labels and one row of coefficients s belongs to the second label: it is chosen when
/// s > 0, and the scores are 1 - s and s, or sigmoid(-s) and sigmoid(s).
Replacement linear_classifier(const Node& node, Rewriter& rw) {
  const std::size_t labels = label_count(node, "classlabels_ints", "classlabels_strings");
  const std::size_t intercepts = list_of<double>(node, "intercepts").size();
  const bool binary = labels == 2 && intercepts == 1;
  auto scores = linear(node, rw, table_of(rw, node.input(0), kReal), binary ? 1 : labels);
  if (!scores) return std::move(scores).error();
  Value place;
  Value given;
  if (binary) {
    const Term s(rw, *scores, kReal);
    const std::string transform = node.attr<std::string>("post_transform").value_or("NONE");
    if (transform == "SOFTMAX" || transform == "SOFTMAX_ZERO")
      return node.error("MO-ONNX-0450", "post_transform is \"{}\" for a single score, for which ONNX defines no second one", transform)
          .hint("export the model with LOGISTIC, or with coefficients for both labels");
    place = rw.create(ops::Reshape{}, greater(s, 0).as(ElementType::i64).value(), rw.integers({-1}));
    const Term first = transform == "LOGISTIC" ? s.apply(ops::Negative{}).apply(ops::Sigmoid{}) : 1 - s;
    const Term second = transform == "LOGISTIC" ? s.apply(ops::Sigmoid{}) : s;
    given = rw.create(ops::Concat{.axis = 1}, first.value(), second.value());
  } else {
    place = best_place(rw, *scores);
    given = post_transformed(node, rw, *scores);
  }
  auto chosen = labels_at(node, rw, "classlabels_ints", "classlabels_strings", place);
  if (!chosen) return std::move(chosen).error();
  Outputs outputs = {*chosen, given};
  outputs.resize(node.out_port_count());
  return outputs;
}

/// The kernel of x [N, C] and rows [S, C], one of LINEAR, POLY, SIGMOID, RBF -> [N, S].
Expected<Value> kernel(const Node& node, Rewriter& rw, const Value& x, const Numbers& rows, std::size_t count) {
  if (count == 0 || rows.empty() || rows.size() % count != 0) return contradiction(node, "vectors", rows.size(), count);
  const auto columns = static_cast<std::int64_t>(rows.size() / count);
  MO_ASSIGN(const Value vectors, real_constant(rw, kReal, {static_cast<std::int64_t>(count), columns}, rows));
  const Numbers parameters = list_of<double>(node, "kernel_params");
  const auto parameter = [&](std::size_t i, double usual) { return i < parameters.size() ? parameters[i] : usual; };
  const double gamma = parameter(0, 0);
  const double offset = parameter(1, 0);
  const double degree = parameter(2, 0);
  const std::string kind = node.attr<std::string>("kernel_type").value_or("LINEAR");
  if (kind == "RBF") {
    // exp(-gamma * |x - v|^2), element by element: |x|^2 - 2 x v + |v|^2 would lose digits.
    const Value rows_of_x = rw.create(ops::Unsqueeze{}, x, rw.integers({1}));
    const Term squares(rw, rw.create(ops::SquaredDifference{}, rows_of_x, vectors), kReal);
    return (reduced<ops::ReduceKind::sum>(squares, {2}, false) * -gamma).apply(ops::Exp{}).value();
  }
  const Term product(rw, rw.create(ops::MatMul{.transpose_b = true}, x, vectors), kReal);
  if (kind == "LINEAR") return product.value();
  const Term shifted = product * gamma + offset;
  if (kind == "SIGMOID") return shifted.apply(ops::Tanh{}).value();
  return shifted.apply(ops::Power{}, shifted.number(degree)).value();
}

/// Sum over the support vectors of coefficient * kernel, + rho; without support vectors the kernel of the coefficients themselves.
Replacement svm_regressor(const Node& node, Rewriter& rw) {
  const auto supports = node.attr<std::int64_t>("n_supports").value_or(0);
  const Numbers coefficients = list_of<double>(node, "coefficients");
  const Numbers rho = list_of<double>(node, "rho");
  if (supports < 0 || rho.empty()) return contradiction(node, "rho", rho.size(), 1);
  const Value x = table_of(rw, node.input(0), kReal);
  Expected<Value> y = Value();
  if (supports > 0) {
    const auto count = static_cast<std::size_t>(supports);
    if (coefficients.size() != count) return contradiction(node, "coefficients", coefficients.size(), count);
    auto similar = kernel(node, rw, x, list_of<double>(node, "support_vectors"), count);
    if (!similar) return std::move(similar).error();
    auto weights = real_constant(rw, kReal, {supports, 1}, coefficients);
    if (!weights) return std::move(weights).error();
    y = rw.create(ops::MatMul{}, *similar, *weights);
  } else {
    y = kernel(node, rw, x, coefficients, 1);
    if (!y) return std::move(y).error();
  }
  const Term sum = Term(rw, *y, kReal) + rho.front();
  if (node.attr<std::int64_t>("one_class").value_or(0) != 0) return choose(greater(sum, 0), sum.number(1), sum.number(-1)).value();
  return post_transformed(node, rw, sum);
}

/// The weights of support vectors for each pair of classes i < j, [S, pairs]: libsvm stores those of class i for pair (i, j) in row j - 1, and those of
/// class j in row i.
Numbers pair_weights(const Integers& sizes, const Numbers& coefficients, std::size_t supports) {
  const std::size_t classes = sizes.size();
  const std::size_t pairs = classes * (classes - 1) / 2;
  Numbers weights(supports * pairs);
  std::vector<std::size_t> starts = {0};
  for (const std::int64_t size : sizes) starts.push_back(starts.back() + static_cast<std::size_t>(size));
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      for (std::size_t v = starts[i]; v < starts[i + 1]; ++v) weights[v * pairs + pair] = coefficients[(j - 1) * supports + v];
      for (std::size_t v = starts[j]; v < starts[j + 1]; ++v) weights[v * pairs + pair] = coefficients[i * supports + v];
    }
  return weights;
}

/// One vote of each pair of classes: a positive score is for the first of them. The place of the class with the most votes [N].
Expected<Value> elected(Rewriter& rw, const Term& scores, std::size_t classes) {
  const std::size_t pairs = classes * (classes - 1) / 2;
  Numbers votes(pairs * classes);  // of a positive score, less that of another one
  Numbers others(classes);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      votes[pair * classes + i] += 1;
      votes[pair * classes + j] -= 1;
      others[j] += 1;
    }
  const auto count = static_cast<std::int64_t>(classes);
  MO_ASSIGN(const Value table, real_constant(rw, kReal, {static_cast<std::int64_t>(pairs), count}, votes));
  MO_ASSIGN(const Value start, real_constant(rw, kReal, {count}, others));
  const Value changed = rw.create(ops::MatMul{}, greater(scores, 0).as(kReal).value(), table);
  return best_place(rw, rw.create(ops::Add{}, changed, start));
}

/// With support vectors: pairs of classes vote. With two classes and prob_a, prob_b the scores are probabilities, 1 / (1 + exp(a * s + b)) and the rest.
Replacement svm_classifier(const Node& node, Rewriter& rw) {
  const Value x = table_of(rw, node.input(0), kReal);
  const std::size_t labels = label_count(node, "classlabels_ints", "classlabels_strings");
  const Integers sizes = list_of<std::int64_t>(node, "vectors_per_class");
  const Numbers coefficients = list_of<double>(node, "coefficients");
  const Numbers rho = list_of<double>(node, "rho");
  const bool scores_read = node.out_port_count() > 1 && !node.out_port(1).disconnected();
  Value place;
  Value given;
  if (sizes.empty()) {
    if (rho.empty()) return contradiction(node, "rho", 0, 1);
    auto scores = kernel(node, rw, x, coefficients, labels);
    if (!scores) return std::move(scores).error();
    const Term shifted = Term(rw, *scores, kReal) + rho.front();
    place = best_place(rw, shifted);
    given = post_transformed(node, rw, shifted);
  } else {
    constexpr std::int64_t kMostVectors = 1 << 20;
    constexpr std::size_t kMostClasses = 256;
    std::int64_t supports = 0;
    for (const std::int64_t size : sizes) {
      if (size < 0 || size > kMostVectors - supports)
        return node.error("MO-ONNX-0452", "vectors_per_class has {}", size).hint("check how the model was exported");
      supports += size;
    }
    const std::size_t classes = sizes.size();
    if (classes != labels || classes < 2 || classes > kMostClasses) return contradiction(node, "vectors_per_class", classes, labels);
    const std::size_t pairs = classes * (classes - 1) / 2;
    const auto count = static_cast<std::size_t>(supports);
    if (coefficients.size() != count * (classes - 1)) return contradiction(node, "coefficients", coefficients.size(), count * (classes - 1));
    if (rho.size() != pairs) return contradiction(node, "rho", rho.size(), pairs);
    const Numbers a = list_of<double>(node, "prob_a");
    const Numbers b = list_of<double>(node, "prob_b");
    const bool probabilities = !a.empty();
    if (probabilities && (a.size() != pairs || b.size() != pairs)) return contradiction(node, "prob_a or prob_b", b.size(), pairs);
    if ((probabilities && classes > 2) || (!probabilities && scores_read))
      return node
          .error("MO-ONNX-0455", "{}",
                 probabilities ? "the probabilities of more than two classes are found by iteration"
                               : "the scores of pairs of classes are read, for which ONNX defines no order")
          .hint("export the model with a linear classifier, or keep the labels only, with --output {}:0", node.name());
    auto similar = kernel(node, rw, x, list_of<double>(node, "support_vectors"), count);
    if (!similar) return std::move(similar).error();
    auto weights = real_constant(rw, kReal, {supports, static_cast<std::int64_t>(pairs)}, pair_weights(sizes, coefficients, count));
    auto shift = real_constant(rw, kReal, {static_cast<std::int64_t>(pairs)}, rho);
    if (!weights) return std::move(weights).error();
    if (!shift) return std::move(shift).error();
    const Term scores(rw, rw.create(ops::Add{}, rw.create(ops::MatMul{}, *similar, *weights), *shift), kReal);
    if (probabilities) {
      const Term first = (scores * -a.front() - b.front()).apply(ops::Sigmoid{});
      given = rw.create(ops::Concat{.axis = 1}, first.value(), (1 - first).value());
      place = best_place(rw, given);
    } else {
      auto winner = elected(rw, scores, classes);
      if (!winner) return std::move(winner).error();
      place = *winner;
    }
  }
  auto chosen = labels_at(node, rw, "classlabels_ints", "classlabels_strings", place);
  if (!chosen) return std::move(chosen).error();
  Outputs outputs = {*chosen, given};
  outputs.resize(node.out_port_count());
  return outputs;
}

}  // namespace

void register_machine_learning_models(PassRegistry& passes) {
  passes.add(front_replacement_op("MlLinearRegressor").replace_op(needing(1, linear_regressor)));
  passes.add(front_replacement_op("MlLinearClassifier").replace_op(needing(1, linear_classifier)));
  passes.add(front_replacement_op("MlSVMRegressor").replace_op(needing(1, svm_regressor)));
  passes.add(front_replacement_op("MlSVMClassifier").replace_op(needing(1, svm_classifier)));
}

}  // namespace mo::front::onnx
