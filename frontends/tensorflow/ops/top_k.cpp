#include "ops/top_k.hpp"

#include <limits>

#include "frontends/tensorflow/ops/support/index_type.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather_elements.hpp"
#include "ops/logical.hpp"
#include "ops/reduce.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// k is an attribute; from version 2 on, the input after the others.
Expected<Value> count_to_find(const FrameworkNode& node, Rewriter& rw, std::size_t input) {
  if (const auto k = node.optional_attr<std::int64_t>("k")) return rw.scalar<std::int64_t>(*k);
  MO_TRY(node.expect_inputs(input + 1));
  return node.input(input);
}

/// TopK(x, k): the largest elements along the last axis, and their places. Without `sorted` TensorFlow promises no
/// order.
Replacement top_k(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(number_type(node));
  MO_ASSIGN(const ElementType index_type, number_type(node, "index_type", ElementType::i32));
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const Value k, count_to_find(node, rw, 1));
  const IndexType index(index_type);
  const auto order = node.attr("sorted", true) ? ops::TopKSort::value : ops::TopKSort::none;
  const Node top = rw.create_node(
      ops::v3::TopK{{.axis = -1, .mode = ops::TopKMode::max, .sort = order, .index_element_type = index.given}},
      {node.input(0), k});
  return Outputs{top.output(0), node.output_used(1) ? index.convert(rw, top.output(1)) : Value()};
}

/// InTopK(predictions [rows, classes], targets [rows], k): whether fewer than k classes beat the target of the row.
/// False for a target that is no class, and for rows with numbers that are not finite (TensorFlow InTopK: it cannot say
/// then).
Replacement in_top_k(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value predictions = node.input(0);
  const Value targets = as_i64(rw, node.input(1));
  MO_ASSIGN(const Value k, count_to_find(node, rw, 2));
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value last_axis = rw.integers({1});
  const Value is_class = rw.create(ops::LogicalAnd{}, rw.create(ops::GreaterEqual{}, targets, zero),
                                   rw.create(ops::Less{}, targets, dimension_of(rw, predictions, 1)));
  const Value some_class = rw.create(ops::Unsqueeze{}, rw.create(ops::Select{}, is_class, targets, zero), last_axis);
  const Value score = rw.create(ops::GatherElements{.axis = 1}, predictions, some_class);
  const Value better =
      rw.create(ops::Convert{.destination_type = ElementType::i64}, rw.create(ops::Greater{}, predictions, score));
  const Value in_time =
      rw.create(ops::Less{}, rw.create(ops::ReduceSum{.keep_dims = false}, better, last_axis), as_i64(rw, k));
  const Value infinity = rw.scalar<float>(std::numeric_limits<float>::infinity());
  // Also false for NaN.
  const Value finite = rw.create(ops::Less{}, rw.create(ops::Abs{}, predictions), infinity);
  const Value all_finite = rw.create(ops::ReduceLogicalAnd{.keep_dims = false}, finite, last_axis);
  return rw.create(ops::LogicalAnd{}, rw.create(ops::LogicalAnd{}, in_time, is_class), all_finite);
}

}  // namespace

void register_top_k(OperatorTable& table) {
  for (const char* op : {"TopK", "TopKV2"}) table.translate(op, top_k, outputs(2));
  // The predictions of InTopK are always f32; T is the type of the targets, and in InTopKV2 also that of k.
  for (const char* op : {"InTopK", "InTopKV2"}) table.translate(op, in_top_k);
}

}  // namespace mo::tensorflow
