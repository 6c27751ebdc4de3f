#include "frontends/onnx/ops/support/machine_learning.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

constexpr auto kReal = ElementType::f32;

Diagnostic model_contradiction(const FrameworkNode& node, std::string_view what, std::size_t have, std::size_t want) {
  return node.error("MO-ONNX-0452", "{}: got {} values, expected {}", what, have, want)
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

/// What LinearRegressor and LinearClassifier share.
struct LinearModel {
  Numbers coefficients;
  Numbers intercepts;
  std::string transform;
};

Expected<LinearModel> read_linear_model(const FrameworkNode& node) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(std::string transform, read_post_transform(node));
  node.ignore({"multi_class"}, "how the model was trained; scores are computed alike");
  return LinearModel{node.attr("coefficients", Numbers{}), node.attr("intercepts", Numbers{}), std::move(transform)};
}

/// x [N, C] * coefficients [rows, C]^T + intercepts [rows].
Expected<Value> linear_scores(const FrameworkNode& node, Rewriter& rw, const LinearModel& model, std::size_t rows) {
  const std::size_t numbers = model.coefficients.size();
  if (rows == 0 || numbers == 0 || numbers % rows != 0) return model_contradiction(node, "coefficients", numbers, rows);
  if (!model.intercepts.empty() && model.intercepts.size() != rows)
    return model_contradiction(node, "intercepts", model.intercepts.size(), rows);
  const auto columns = static_cast<std::int64_t>(numbers / rows);
  MO_ASSIGN(const Value weights,
            real_constant(rw, kReal, {static_cast<std::int64_t>(rows), columns}, model.coefficients));
  const Value product = rw.create(ops::MatMul{.transpose_b = true}, table_of(rw, node.input(0), kReal), weights);
  if (model.intercepts.empty()) return product;
  MO_ASSIGN(const Value summands, real_constant(rw, kReal, {static_cast<std::int64_t>(rows)}, model.intercepts));
  return rw.create(ops::Add{}, product, summands);
}

Replacement linear_regressor(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const LinearModel model, read_linear_model(node));
  const auto targets = node.attr<std::int64_t>("targets", 1);
  MO_ASSIGN(const Value y, linear_scores(node, rw, model, targets > 0 ? static_cast<std::size_t>(targets) : 0));
  return post_transformed(rw, model.transform, y);
}

/// Outputs: the label of the best score, and the scores. With two labels and one row of coefficients s belongs to the
/// second label: it is chosen when s > 0, and the scores are 1 - s and s, or sigmoid(-s) and sigmoid(s).
Replacement linear_classifier(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const LinearModel model, read_linear_model(node));
  const ClassLabels labels = read_labels(node, "classlabels_ints");
  const bool binary = labels.count() == 2 && model.intercepts.size() == 1;
  MO_ASSIGN(const Value scores, linear_scores(node, rw, model, binary ? 1 : labels.count()));
  if (!binary) {
    MO_ASSIGN(Outputs outputs,
              classified(node, rw, labels, best_place(rw, scores), post_transformed(rw, model.transform, scores)));
    return outputs;
  }
  const bool logistic = model.transform == "LOGISTIC";
  if (!logistic && model.transform != "NONE") return needs_both_scores(node, model.transform);
  const Term s(rw, scores, kReal);
  const Value place = rw.create(ops::Reshape{}, greater(s, 0).as(ElementType::i64).value(), rw.integers({-1}));
  const Term first = logistic ? s.apply(ops::Negative{}).apply(ops::Sigmoid{}) : 1 - s;
  const Term second = logistic ? s.apply(ops::Sigmoid{}) : s;
  MO_ASSIGN(Outputs outputs,
            classified(node, rw, labels, place, rw.create(ops::Concat{.axis = 1}, first.value(), second.value())));
  return outputs;
}

/// What SVMRegressor and SVMClassifier share.
struct SupportVectors {
  Numbers vectors;
  Numbers coefficients;
  Numbers rho;
  std::string kernel;
  double gamma = 0;
  double offset = 0;
  double degree = 0;
  std::string transform;
};

Expected<SupportVectors> read_support_vectors(const FrameworkNode& node) {
  MO_TRY(node.expect_inputs(1));
  SupportVectors model;
  MO_ASSIGN(model.transform, read_post_transform(node));
  model.kernel = node.attr("kernel_type", "LINEAR");
  if (model.kernel != "LINEAR" && model.kernel != "POLY" && model.kernel != "RBF" && model.kernel != "SIGMOID")
    return node.error("MO-ONNX-0455", "kernel_type is \"{}\"", model.kernel)
        .hint("it is one of LINEAR, POLY, RBF, SIGMOID");
  model.vectors = node.attr("support_vectors", Numbers{});
  model.coefficients = node.attr("coefficients", Numbers{});
  model.rho = node.attr("rho", Numbers{});
  Numbers parameters = node.attr("kernel_params", Numbers{});
  parameters.resize(3);
  model.gamma = parameters[0];
  model.offset = parameters[1];
  model.degree = parameters[2];
  return model;
}

/// The kernel of x [N, C] and rows [S, C] -> [N, S].
Expected<Value> kernel(const FrameworkNode& node, Rewriter& rw, const SupportVectors& model, const Numbers& rows,
                       std::size_t count) {
  if (count == 0 || rows.empty() || rows.size() % count != 0)
    return model_contradiction(node, "vectors", rows.size(), count);
  const auto columns = static_cast<std::int64_t>(rows.size() / count);
  const Value x = table_of(rw, node.input(0), kReal);
  MO_ASSIGN(const Value vectors, real_constant(rw, kReal, {static_cast<std::int64_t>(count), columns}, rows));
  if (model.kernel == "RBF") {
    // exp(-gamma * |x - v|^2), element by element: |x|^2 - 2 x v + |v|^2 would lose digits.
    const Value rows_of_x = rw.create(ops::Unsqueeze{}, x, rw.integers({1}));
    const Term squares(rw, rw.create(ops::SquaredDifference{}, rows_of_x, vectors), kReal);
    return (reduced<ops::ReduceKind::sum>(squares, {2}, false) * -model.gamma).apply(ops::Exp{}).value();
  }
  const Term product(rw, rw.create(ops::MatMul{.transpose_b = true}, x, vectors), kReal);
  if (model.kernel == "LINEAR") return product.value();
  const Term shifted = product * model.gamma + model.offset;
  if (model.kernel == "SIGMOID") return shifted.apply(ops::Tanh{}).value();
  return shifted.apply(ops::Power{}, shifted.number(model.degree)).value();
}

/// Sum over the support vectors of coefficient * kernel, + rho; without support vectors the kernel of the coefficients
/// themselves.
Replacement svm_regressor(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const SupportVectors model, read_support_vectors(node));
  const auto supports = node.attr<std::int64_t>("n_supports", 0);
  const bool one_class = node.attr<std::int64_t>("one_class", 0) != 0;
  if (supports < 0 || model.rho.empty()) return model_contradiction(node, "rho", model.rho.size(), 1);
  Value y;
  if (supports > 0) {
    const auto count = static_cast<std::size_t>(supports);
    if (model.coefficients.size() != count)
      return model_contradiction(node, "coefficients", model.coefficients.size(), count);
    MO_ASSIGN(const Value similar, kernel(node, rw, model, model.vectors, count));
    MO_ASSIGN(const Value weights, real_constant(rw, kReal, {supports, 1}, model.coefficients));
    y = rw.create(ops::MatMul{}, similar, weights);
  } else {
    MO_ASSIGN(y, kernel(node, rw, model, model.coefficients, 1));
  }
  const Term sum = Term(rw, y, kReal) + model.rho.front();
  if (one_class) return choose(greater(sum, 0), sum.number(1), sum.number(-1)).value();
  return post_transformed(rw, model.transform, sum);
}

/// The weights of support vectors for each pair of classes i < j, [S, pairs]: libsvm stores those of class i for pair
/// (i, j) in row j - 1, and those of class j in row i.
Numbers pair_weights(const Integers& sizes, const Numbers& coefficients, std::size_t supports) {
  const std::size_t classes = sizes.size();
  const std::size_t pairs = classes * (classes - 1) / 2;
  Numbers weights(supports * pairs);
  std::vector<std::size_t> starts = {0};
  for (const std::int64_t size : sizes) starts.push_back(starts.back() + static_cast<std::size_t>(size));
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      for (std::size_t v = starts[i]; v < starts[i + 1]; ++v)
        weights[v * pairs + pair] = coefficients[(j - 1) * supports + v];
      for (std::size_t v = starts[j]; v < starts[j + 1]; ++v)
        weights[v * pairs + pair] = coefficients[i * supports + v];
    }
  return weights;
}

/// One vote of each pair of classes: a positive score is for the first of them. The place of the class with the most
/// votes [N].
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

/// Error MO-ONNX-0452 when some list has another length than the support vectors of the classes ask for; else how many
/// there are.
Expected<std::size_t> check_votes(const FrameworkNode& node, const SupportVectors& model, const Integers& sizes,
                                  std::size_t labels) {
  constexpr std::int64_t kMostVectors = 1 << 20;
  constexpr std::size_t kMostClasses = 256;
  std::int64_t supports = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > kMostVectors - supports)
      return node.error("MO-ONNX-0452", "vectors_per_class has {}", size)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    supports += size;
  }
  const std::size_t classes = sizes.size();
  if (classes != labels || classes < 2 || classes > kMostClasses)
    return model_contradiction(node, "vectors_per_class", classes, labels);
  const std::size_t pairs = classes * (classes - 1) / 2;
  const auto count = static_cast<std::size_t>(supports);
  if (model.coefficients.size() != count * (classes - 1))
    return model_contradiction(node, "coefficients", model.coefficients.size(), count * (classes - 1));
  if (model.rho.size() != pairs) return model_contradiction(node, "rho", model.rho.size(), pairs);
  return count;
}

/// With support vectors: pairs of classes vote. With two classes and prob_a, prob_b the scores are probabilities, 1 /
/// (1 + exp(a * s + b)) and the rest.
Replacement svm_classifier(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const SupportVectors model, read_support_vectors(node));
  const ClassLabels labels = read_labels(node, "classlabels_ints");
  const auto sizes = node.attr("vectors_per_class", Integers{});
  const auto a = node.attr("prob_a", Numbers{});
  const auto b = node.attr("prob_b", Numbers{});
  if (sizes.empty()) {
    if (model.rho.empty()) return model_contradiction(node, "rho", 0, 1);
    MO_ASSIGN(const Value scores, kernel(node, rw, model, model.coefficients, labels.count()));
    const Term shifted = Term(rw, scores, kReal) + model.rho.front();
    MO_ASSIGN(Outputs outputs,
              classified(node, rw, labels, best_place(rw, shifted), post_transformed(rw, model.transform, shifted)));
    return outputs;
  }
  MO_ASSIGN(const std::size_t count, check_votes(node, model, sizes, labels.count()));
  const std::size_t classes = sizes.size();
  const std::size_t pairs = model.rho.size();
  const bool probabilities = !a.empty();
  if (probabilities && (a.size() != pairs || b.size() != pairs))
    return model_contradiction(node, "prob_a or prob_b", b.size(), pairs);
  if ((probabilities && classes > 2) || (!probabilities && node.output_used(1)))
    return node
        .error("MO-ONNX-0455", "{}",
               probabilities ? "the probabilities of more than two classes are found by iteration"
                             : "the scores of pairs of classes are read, for which ONNX defines no order")
        .hint("export the model with a linear classifier, or keep the labels only, with --output {}:0", node.name());
  MO_ASSIGN(const Value similar, kernel(node, rw, model, model.vectors, count));
  const Shape shape = {static_cast<std::int64_t>(count), static_cast<std::int64_t>(pairs)};
  MO_ASSIGN(const Value weights, real_constant(rw, kReal, shape, pair_weights(sizes, model.coefficients, count)));
  MO_ASSIGN(const Value shift, real_constant(rw, kReal, {static_cast<std::int64_t>(pairs)}, model.rho));
  const Term scores(rw, rw.create(ops::Add{}, rw.create(ops::MatMul{}, similar, weights), shift), kReal);
  Value place;
  Value given;
  if (probabilities) {
    const Term first = (scores * -a.front() - b.front()).apply(ops::Sigmoid{});
    given = rw.create(ops::Concat{.axis = 1}, first.value(), (1 - first).value());
    place = best_place(rw, given);
  } else {
    MO_ASSIGN(place, elected(rw, scores, classes));
  }
  MO_ASSIGN(Outputs outputs, classified(node, rw, labels, place, given));
  return outputs;
}

}  // namespace

/// Domain ai.onnx.ml: linear models and support vectors.
void register_machine_learning_models(OperatorTable& table) {
  table.translate("ai.onnx.ml::LinearRegressor", since(1), linear_regressor);
  table.translate("ai.onnx.ml::LinearClassifier", since(1), linear_classifier);
  table.translate("ai.onnx.ml::SVMRegressor", since(1), svm_regressor);
  table.translate("ai.onnx.ml::SVMClassifier", since(1), svm_classifier);
}

}  // namespace mo::onnx
