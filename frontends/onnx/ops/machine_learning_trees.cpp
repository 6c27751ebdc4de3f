#include <algorithm>
#include <set>

#include "frontends/onnx/ops/support/tree_ensemble.hpp"
#include "ops/concat.hpp"

namespace mo::onnx {
namespace {

using Numbers = std::vector<double>;

/// f64 when thresholds or data say so: comparisons must not be rounded.
ElementType tree_type(const FrameworkNode& node) {
  if (node.input_type(0).element_type == ElementType::f64) return ElementType::f64;
  const auto thresholds = node.optional_attr<Tensor>("nodes_values_as_tensor");
  return thresholds && thresholds->element_type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

/// + base_values, one for each result, or none.
Expected<Value> with_base(const FrameworkNode& node, Rewriter& rw, const Value& sums, ElementType type,
                          std::int64_t results) {
  MO_ASSIGN(const Numbers base, tree_numbers(node, "base_values"));
  if (base.empty()) return sums;
  if (static_cast<std::int64_t>(base.size()) != results)
    return node.error("MO-ONNX-0452", "there are {} base values for {} results", base.size(), results)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  MO_ASSIGN(const Value constant, real_constant(rw, type, {results}, base));
  return rw.create(ops::Add{}, sums, constant);
}

/// Of all trees together [N, K].
Expected<Value> aggregated_trees(const FrameworkNode& node, const Term& by_tree, const TreeTables& tables,
                                 const std::string& function) {
  if (function == "SUM") return reduced<ops::ReduceKind::sum>(by_tree, {0}, false).value();
  if (function == "AVERAGE")
    return (reduced<ops::ReduceKind::sum>(by_tree, {0}, false) / static_cast<double>(tables.trees)).value();
  if (function != "MIN" && function != "MAX")
    return node.error("MO-ONNX-0455", "aggregate_function is \"{}\"", function)
        .hint("it is one of SUM, AVERAGE, MIN, MAX");
  // A tree without a weight for some result takes no part in its minimum: not the same as a weight of 0.
  for (std::size_t i = 0; i < tables.has_weight.size(); ++i)
    if (tables.exists[i / static_cast<std::size_t>(tables.results)] && !tables.has_weight[i])
      return node
          .error("MO-ONNX-0455", "aggregate_function is {}, and some leaves have no weight for some results", function)
          .hint("export the model with SUM or AVERAGE");
  return function == "MIN" ? reduced<ops::ReduceKind::min>(by_tree, {0}, false).value()
                           : reduced<ops::ReduceKind::max>(by_tree, {0}, false).value();
}

constexpr const char* kHitRates = "how often a trainer met the nodes: a hint for the order of tests";

Replacement tree_regressor(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::string transform, read_post_transform(node));
  node.ignore({"nodes_hitrates", "nodes_hitrates_as_tensor"}, kHitRates);
  const auto targets = node.attr<std::int64_t>("n_targets", 1);
  MO_ASSIGN(const TreeTables tables, read_trees(node, "target", targets));
  const ElementType type = tree_type(node);
  MO_ASSIGN(const Value by_tree, leaf_weights(rw, table_of(rw, node.input(0), type), tables, type));
  MO_ASSIGN(const Value all,
            aggregated_trees(node, Term(rw, by_tree, type), tables, node.attr("aggregate_function", "SUM")));
  MO_ASSIGN(const Value y, with_base(node, rw, all, type, targets));
  return post_transformed(rw, transform, as_type(rw, y, ElementType::f32));
}

/// One of `names` by its place. Error MO-ONNX-0455 for a number that has no name.
template <std::size_t N>
Expected<std::string> name_of_number(const FrameworkNode& node, std::string_view attribute, std::int64_t fallback,
                                     const std::string_view (&names)[N]) {
  const auto number = node.attr<std::int64_t>(attribute, fallback);
  if (number >= 0 && number < static_cast<std::int64_t>(N)) return std::string(names[number]);
  return node.error("MO-ONNX-0455", "{} is {}", attribute, number).hint("it is a number from 0 to {}", N - 1);
}

/// TreeEnsemble-5: one operator for all, whose results have the type of the data.
Replacement tree_ensemble(const FrameworkNode& node, Rewriter& rw) {
  static constexpr std::string_view kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  static constexpr std::string_view kFunctions[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  MO_TRY(node.expect_inputs(1));
  node.ignore({"nodes_hitrates"}, kHitRates);
  MO_ASSIGN(const std::string transform, name_of_number(node, "post_transform", 0, kTransforms));
  MO_TRY(check_post_transform(node, transform));
  MO_ASSIGN(const std::string function, name_of_number(node, "aggregate_function", 1, kFunctions));
  MO_ASSIGN(const TreeTables tables, read_tree_ensemble(node, node.attr<std::int64_t>("n_targets", 1)));
  const Value x = node.input(0);
  const bool wide = type_of(x).element_type == ElementType::f64;
  const ElementType type = wide ? ElementType::f64 : ElementType::f32;
  MO_ASSIGN(const Value by_tree, leaf_weights(rw, table_of(rw, x, type), tables, type));
  MO_ASSIGN(const Value all, aggregated_trees(node, Term(rw, by_tree, type), tables, function));
  return as_type_of(rw, post_transformed(rw, transform, all), x);
}

/// Two labels, and all weights are for the same class: s speaks for the second label, from 0.5 on when no weight is
/// negative, else from 0 on. The scores are 1 - s and s, or -s and s; with LOGISTIC sigmoid(-s) and sigmoid(s).
Expected<Outputs> binary_classes(const FrameworkNode& node, Rewriter& rw, const ClassLabels& labels,
                                 const std::string& transform, const Term& s, bool all_positive) {
  const bool logistic = transform == "LOGISTIC";
  if (!logistic && transform != "NONE") return needs_both_scores(node, transform);
  const Value place =
      rw.create(ops::Reshape{}, greater(s, all_positive ? 0.5 : 0).as(ElementType::i64).value(), rw.integers({-1}));
  const Term negative = s.apply(ops::Negative{});
  const Term first = logistic ? negative.apply(ops::Sigmoid{}) : all_positive ? 1 - s : negative;
  const Term second = logistic ? s.apply(ops::Sigmoid{}) : s;
  return classified(node, rw, labels, place, rw.create(ops::Concat{.axis = 1}, first.value(), second.value()));
}

/// Outputs: the label of the best score, and the scores.
Expected<Outputs> tree_classes(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::string transform, read_post_transform(node));
  node.ignore({"nodes_hitrates", "nodes_hitrates_as_tensor"}, kHitRates);
  const ClassLabels labels = read_labels(node, "classlabels_int64s");
  const auto ids = node.attr("class_ids", std::vector<std::int64_t>{});
  const std::set<std::int64_t> used(ids.begin(), ids.end());
  const bool binary = labels.count() == 2 && used.size() == 1;
  if (binary && *used.begin() != 0)
    return node
        .error("MO-ONNX-0455", "all weights are for the second of two classes, whose meaning ONNX does not define")
        .hint("export the model with weights for both classes, or for the first one");
  const std::int64_t results = binary ? 1 : static_cast<std::int64_t>(labels.count());
  MO_ASSIGN(const TreeTables tables, read_trees(node, "class", results));
  const ElementType type = tree_type(node);
  MO_ASSIGN(const Value by_tree, leaf_weights(rw, table_of(rw, node.input(0), type), tables, type));
  const Value all = reduced<ops::ReduceKind::sum>(Term(rw, by_tree, type), {0}, false);
  MO_ASSIGN(const Value sums, with_base(node, rw, all, type, results));
  const Value scores = as_type(rw, sums, ElementType::f32);
  if (!binary) return classified(node, rw, labels, best_place(rw, scores), post_transformed(rw, transform, scores));
  const bool all_positive = std::all_of(tables.weights.begin(), tables.weights.end(), [](double w) { return w >= 0; });
  return binary_classes(node, rw, labels, transform, Term(rw, scores, ElementType::f32), all_positive);
}

Replacement tree_classifier(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(Outputs outputs, tree_classes(node, rw));
  return outputs;
}

}  // namespace

/// Domain ai.onnx.ml: decision trees. Opset 3 has the real numbers of f64 models as tensors as well.
void register_machine_learning_trees(OperatorTable& table) {
  table.translate("ai.onnx.ml::TreeEnsemble", since(5), tree_ensemble);
  table.translate("ai.onnx.ml::TreeEnsembleRegressor", since(1), tree_regressor);
  table.translate("ai.onnx.ml::TreeEnsembleClassifier", since(1), tree_classifier);
}

}  // namespace mo::onnx
