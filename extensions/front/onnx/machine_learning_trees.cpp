#include <algorithm>
#include <set>

#include "extensions/support/tree_ensemble.hpp"
#include "ops/concat.hpp"

namespace mo::front::onnx {
namespace {

using Numbers = std::vector<double>;

/// f64 when thresholds or data say so: comparisons must not be rounded.
ElementType type_of(const Node& node, const Value& x) {
  if (known_element_type(x) == ElementType::f64) return ElementType::f64;
  const auto thresholds = node.attr<Tensor>("nodes_values_as_tensor");
  return thresholds && thresholds->element_type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

/// + base_values, one for each result, or none.
Expected<Value> with_base(const Node& node, Rewriter& rw, const Value& sums, ElementType type, std::int64_t results) {
  MO_ASSIGN(const Numbers base, tree_numbers(node, "base_values"));
  if (base.empty()) return sums;
  if (static_cast<std::int64_t>(base.size()) != results)
    return node.error("MO-ONNX-0452", "there are {} base values for {} results", base.size(), results).hint("check how the model was exported");
  MO_ASSIGN(const Value constant, real_constant(rw, type, {results}, base));
  return rw.create(ops::Add{}, sums, constant);
}

/// Of all trees together [N, K].
Expected<Value> aggregated(const Node& node, const Term& by_tree, const TreeTables& tables) {
  const std::string function = node.attr<std::string>("aggregate_function").value_or("SUM");
  if (function == "SUM") return reduced<ops::ReduceKind::sum>(by_tree, {0}, false).value();
  if (function == "AVERAGE") return (reduced<ops::ReduceKind::sum>(by_tree, {0}, false) / static_cast<double>(tables.trees)).value();
  if (function != "MIN" && function != "MAX")
    return node.error("MO-ONNX-0455", "aggregate_function is \"{}\"", function).hint("it is one of SUM, AVERAGE, MIN, MAX");
  // A tree without a weight for some result takes no part in its minimum: not the same as a weight of 0.
  for (std::size_t i = 0; i < tables.has_weight.size(); ++i)
    if (tables.exists[i / static_cast<std::size_t>(tables.results)] && !tables.has_weight[i])
      return node.error("MO-ONNX-0455", "aggregate_function is {}, and some leaves have no weight for some results", function)
          .hint("export the model with SUM or AVERAGE");
  return function == "MIN" ? reduced<ops::ReduceKind::min>(by_tree, {0}, false).value() : reduced<ops::ReduceKind::max>(by_tree, {0}, false).value();
}

Expected<Value> regression(const Node& node, Rewriter& rw) {
  const auto targets = node.attr<std::int64_t>("n_targets").value_or(1);
  MO_ASSIGN(const TreeTables tables, read_trees(node, "target", targets));
  const ElementType type = type_of(node, node.input(0));
  MO_ASSIGN(const Value by_tree, leaf_weights(rw, table_of(rw, node.input(0), type), tables, type));
  MO_ASSIGN(const Value all, aggregated(node, Term(rw, by_tree, type), tables));
  MO_ASSIGN(const Value y, with_base(node, rw, all, type, targets));
  return post_transformed(node, rw, as_type(rw, y, ElementType::f32));
}

Replacement regressor(const Node& node, Rewriter& rw) {
  auto y = regression(node, rw);
  if (!y) return std::move(y).error();
  return *y;
}

struct Classes {
  Value place;
  Value scores;
};

/// Two labels, and all weights are for the same class: s speaks for the second label, from 0.5 on when no weight is negative, else from 0 on. The
/// scores are 1 - s and s, or -s and s; with LOGISTIC sigmoid(-s) and sigmoid(s).
Expected<Classes> binary_classes(const Node& node, Rewriter& rw, const Term& s, bool all_positive) {
  const std::string transform = node.attr<std::string>("post_transform").value_or("NONE");
  if (transform == "SOFTMAX" || transform == "SOFTMAX_ZERO")
    return node.error("MO-ONNX-0450", "post_transform is \"{}\" for a single score, for which ONNX defines no second one", transform)
        .hint("export the model with LOGISTIC, or with weights for both labels");
  const Value place = rw.create(ops::Reshape{}, greater(s, all_positive ? 0.5 : 0).as(ElementType::i64).value(), rw.integers({-1}));
  const Term negative = s.apply(ops::Negative{});
  const bool logistic = transform == "LOGISTIC";
  const Term first = logistic ? negative.apply(ops::Sigmoid{}) : all_positive ? 1 - s : negative;
  const Term second = logistic ? s.apply(ops::Sigmoid{}) : s;
  return Classes{place, rw.create(ops::Concat{.axis = 1}, first.value(), second.value())};
}

Expected<Classes> classification(const Node& node, Rewriter& rw) {
  const auto labels = static_cast<std::int64_t>(label_count(node, "classlabels_int64s", "classlabels_strings"));
  const auto ids = list_of<std::int64_t>(node, "class_ids");
  const std::set<std::int64_t> used(ids.begin(), ids.end());
  const bool binary = labels == 2 && used.size() == 1;
  if (binary && *used.begin() != 0)
    return node.error("MO-ONNX-0455", "all weights are for the second of two classes, whose meaning ONNX leaves open")
        .hint("export the model with weights for both classes, or for the first one");
  const std::int64_t results = binary ? 1 : labels;
  MO_ASSIGN(const TreeTables tables, read_trees(node, "class", results));
  const ElementType type = type_of(node, node.input(0));
  MO_ASSIGN(const Value by_tree, leaf_weights(rw, table_of(rw, node.input(0), type), tables, type));
  const Value all = reduced<ops::ReduceKind::sum>(Term(rw, by_tree, type), {0}, false);
  MO_ASSIGN(const Value sums, with_base(node, rw, all, type, results));
  const Value scores = as_type(rw, sums, ElementType::f32);
  if (!binary) return Classes{best_place(rw, scores), post_transformed(node, rw, scores)};
  const bool all_positive = std::all_of(tables.weights.begin(), tables.weights.end(), [](double w) { return w >= 0; });
  return binary_classes(node, rw, Term(rw, scores, ElementType::f32), all_positive);
}

/// Outputs: the label of the best score, and the scores.
Replacement classifier(const Node& node, Rewriter& rw) {
  auto classes = classification(node, rw);
  if (!classes) return std::move(classes).error();
  auto labels = labels_at(node, rw, "classlabels_int64s", "classlabels_strings", classes->place);
  if (!labels) return std::move(labels).error();
  Outputs outputs = {*labels, classes->scores};
  outputs.resize(node.out_port_count());
  return outputs;
}

}  // namespace

void register_machine_learning_trees(PassRegistry& passes) {
  passes.add(front_replacement_op("MlTreeEnsembleRegressor").replace_op(needing(1, regressor)));
  passes.add(front_replacement_op("MlTreeEnsembleClassifier").replace_op(needing(1, classifier)));
}

}  // namespace mo::front::onnx
