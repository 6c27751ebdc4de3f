#include "frontends/onnx/ops/support/machine_learning.hpp"

#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"

namespace mo::onnx {

Expected<Value> real_constant(Rewriter& rw, ElementType type, Shape shape, const std::vector<double>& values) {
  MO_ASSIGN(Tensor tensor, from_reals(type, std::move(shape), values));
  return rw.constant(std::move(tensor));
}

Value table_of(Rewriter& rw, const Value& x, ElementType type) {
  const Value real = as_type(rw, x, type);
  return type_of(x).rank() == 1 ? rw.create(ops::Unsqueeze{}, real, rw.integers({0})) : real;
}

Expected<std::string> read_post_transform(const FrameworkNode& node) {
  std::string transform = node.attr("post_transform", "NONE");
  MO_TRY(check_post_transform(node, transform));
  return transform;
}

Expected<void> check_post_transform(const FrameworkNode& node, std::string_view transform) {
  if (transform == "NONE" || transform == "LOGISTIC" || transform == "SOFTMAX" || transform == "SOFTMAX_ZERO")
    return {};
  return node.error("MO-ONNX-0450", "post_transform is \"{}\"", transform)
      .hint(
          "NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO can be expressed; the inverse of the error function (PROBIT) has "
          "no operation in an IR");
}

Value post_transformed(Rewriter& rw, std::string_view transform, const Value& scores) {
  if (transform == "LOGISTIC") return rw.create(ops::Sigmoid{}, scores);
  if (transform == "SOFTMAX") return rw.create(ops::SoftMax{.axis = -1}, scores);
  if (transform != "SOFTMAX_ZERO") return scores;
  // As SoftMax, and scores of 0 stay 0.
  const Term s = term(rw, scores);
  const Term largest = reduced<ops::ReduceKind::max>(s, {-1}, true);
  const Term weights = choose(greater(absolute(s), 1e-7), (s - largest).apply(ops::Exp{}), 0);
  return weights / reduced<ops::ReduceKind::sum>(weights, {-1}, true);
}

Diagnostic needs_both_scores(const FrameworkNode& node, std::string_view transform) {
  return node
      .error("MO-ONNX-0450", "post_transform is \"{}\" for a single score, for which ONNX defines no second one",
             transform)
      .hint("export the model with LOGISTIC, or with numbers for both labels");
}

ClassLabels read_labels(const FrameworkNode& node, std::string_view integers) {
  return {node.attr(integers, std::vector<std::int64_t>{}),
          node.attr("classlabels_strings", std::vector<std::string>{})};
}

Expected<Outputs> classified(const FrameworkNode& node, Rewriter& rw, const ClassLabels& labels, const Value& place,
                             const Value& scores) {
  Outputs outputs = {Value(), scores};
  outputs.resize(node.output_count());
  if (!node.output_used(0)) return outputs;
  if (labels.integers.empty() || !labels.strings.empty())
    return node.error("MO-ONNX-0458", "the labels are strings, which an IR cannot return")
        .hint("keep the scores only, with --output {}:1, and look the labels up outside", node.name());
  outputs[0] = rw.create(ops::Gather{}, rw.integers(labels.integers), place, rw.scalar<std::int64_t>(0));
  return outputs;
}

Value best_place(Rewriter& rw, const Value& scores) {
  const Node best = rw.create_node(ops::TopK{.axis = -1, .index_element_type = ElementType::i64},
                                   {scores, rw.scalar<std::int64_t>(1)}, 2);
  return rw.create(ops::Squeeze{}, best.output(1), rw.integers({-1}));
}

}  // namespace mo::onnx
