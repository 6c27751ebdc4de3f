#include "ops/build/attention.hpp"

#include <cmath>
#include <limits>

#include "ops/build/term.hpp"
#include "ops/mat_mul.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "ops/soft_max.hpp"

namespace mo::build {
namespace {

Term scaled_query(Rewriter& rw, const Node& node) {
  const Term query = term(rw, node.input(0));
  if (const Value scale = node.input(4)) {
    const bool is_vector = type_of(scale).rank().value_or(1) != 0;
    return query * Term(rw, is_vector ? as_scalar(rw, scale) : scale, query.type());
  }
  const PartialShape& shape = type_of(query).shape;
  if (shape.has_rank() && shape[shape.size() - 1].is_known())
    return query * (1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(shape[shape.size() - 1].value(), 1))));
  const Term length = Term(rw, dimension_of(rw, query, -1), ElementType::i64).as(query.type());
  return query * (1 / length.apply(ops::Sqrt{}));
}

/// Query i sees the keys 0 to i.
Term is_seen(Rewriter& rw, const Node& node) {
  const Term queries = count_up(rw, dimension_of(rw, node.input(0), -2), ElementType::i64).unsqueezed({1});
  return less_equal(count_up(rw, dimension_of(rw, node.input(1), -2), ElementType::i64), queries);
}

Term masked(Rewriter& rw, const Node& node, const Term& scores) {
  constexpr double kNoWeight = -std::numeric_limits<double>::infinity();
  if (node.as<ops::ScaledDotProductAttention>()->causal) return choose(is_seen(rw, node), scores, kNoWeight);
  const Value mask = node.input(3);
  if (!mask) return scores;
  const Term condition = term(rw, mask);
  return condition.type() == ElementType::boolean ? choose(condition, scores, kNoWeight) : scores + condition;
}

/// The older SoftMax counts its axis from the front.
Term weights_of(const Node& node, const Term& scores) {
  if (const auto rank = node.output_type().rank()) return scores.apply(ops::v1::SoftMax{.axis = *rank - 1});
  return scores.apply(ops::v8::SoftMax{.axis = -1});
}

/// SoftMax of the scores and one more, which has no part in the result.
Term weights_beside(const Term& scores, const Term& sink) {
  const Term largest = larger(reduced<ops::ReduceKind::max>(scores, {-1}, true), sink);
  const Term powers = (scores - largest).apply(ops::Exp{});
  return powers / (reduced<ops::ReduceKind::sum>(powers, {-1}, true) + (sink - largest).apply(ops::Exp{}));
}

}  // namespace

Value attention_in_parts(Rewriter& rw, const Node& node) {
  const Term products = scaled_query(rw, node).apply(ops::MatMul{.transpose_b = true}, node.input(1));
  const Term scores = masked(rw, node, products);
  const Value sink = node.input(5);
  const Term weights = sink ? weights_beside(scores, Term(rw, sink, scores.type())) : weights_of(node, scores);
  return rw.create(ops::MatMul{}, weights, node.input(2));
}

}  // namespace mo::build
