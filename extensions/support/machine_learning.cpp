#include "extensions/support/machine_learning.hpp"

#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"

namespace mo::front {

Expected<Value> real_constant(Rewriter& rw, ElementType type, Shape shape, const std::vector<double>& values) {
  MO_ASSIGN(Tensor tensor, from_reals(type, std::move(shape), values));
  return rw.constant(std::move(tensor));
}

Value table_of(Rewriter& rw, const Value& x, ElementType type) {
  const Value real = as_type(rw, x, type);
  return source_rank(x) == 1 ? rw.create(ops::Unsqueeze{}, real, rw.integers({0})) : real;
}

Value post_transformed(const Node& node, Rewriter& rw, const Value& scores) {
  const std::string transform = node.attr<std::string>("post_transform").value_or("NONE");
  if (transform == "LOGISTIC") return rw.create(ops::Sigmoid{}, scores);
  if (transform == "SOFTMAX") return rw.create(ops::SoftMax{.axis = -1}, scores);
  if (transform != "SOFTMAX_ZERO") return scores;
  // As SoftMax, and scores of 0 stay 0.
  const Term s = term(rw, scores);
  const Term largest = reduced<ops::ReduceKind::max>(s, {-1}, true);
  const Term weights = choose(greater(absolute(s), 1e-7), (s - largest).apply(ops::Exp{}), 0);
  return weights / reduced<ops::ReduceKind::sum>(weights, {-1}, true);
}

Value best_place(Rewriter& rw, const Value& scores) {
  const Node best = rw.create_node(ops::TopK{.axis = -1, .index_element_type = ElementType::i64}, {scores, rw.scalar<std::int64_t>(1)}, 2);
  return rw.create(ops::Squeeze{}, best.output(1), rw.integers({-1}));
}

std::size_t label_count(const Node& node, std::string_view integers, std::string_view strings) {
  return std::max(list_of<std::int64_t>(node, integers).size(), list_of<std::string>(node, strings).size());
}

Expected<Value> labels_at(const Node& node, Rewriter& rw, std::string_view integers, std::string_view strings, const Value& place) {
  if (node.out_port(0).disconnected()) return Value();
  const auto labels = list_of<std::int64_t>(node, integers);
  if (labels.empty() || !list_of<std::string>(node, strings).empty())
    return node.error("MO-ONNX-0458", "the labels are strings, which an IR cannot give")
        .hint("keep the scores only, with --output {}:1, and look the labels up outside", node.name());
  return rw.create(ops::Gather{}, rw.integers(labels), place, rw.scalar<std::int64_t>(0));
}

}  // namespace mo::front
