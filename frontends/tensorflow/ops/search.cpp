#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/logical.hpp"
#include "ops/non_zero.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"
#include "ops/unique.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// Unique in the order of first appearance: the values, for each element the place of its value, and how often each is
/// there. From version 2 on with an axis, or an empty list of axes for a vector.
Replacement unique(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  const auto index = node.attr("out_idx", ElementType::i32);
  std::vector<Value> inputs = {node.input(0)};
  if (node.has_input(1)) {
    MO_ASSIGN(const Integers axes, known_list(node, 1, "the axis"));
    if (axes.size() > 1)
      return node.error("MO-TF-0556", "there are {} axes", axes.size()).hint("give one axis, or none for a vector");
    if (!axes.empty()) inputs.push_back(rw.scalar(axes.front()));
  }
  const Node found =
      rw.create_node(ops::Unique{.sorted = false, .index_element_type = index, .count_element_type = index}, inputs, 4);
  Outputs results = {found.output(0)};
  for (std::size_t i = 1; i < node.output_count(); ++i) results.push_back(found.output(i + 1));
  return results;
}

/// The elements of the vector x that are not in the vector y, and their places.
Replacement list_difference(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  const Value column = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({1}));
  const Value row = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({0}));
  const Value found = rw.create(ops::ReduceLogicalOr{}, rw.create(ops::Equal{}, column, row), rw.integers({1}));
  const Value missing = rw.create(ops::NonZero{.output_type = node.attr("out_idx", ElementType::i32)},
                                  rw.create(ops::LogicalNot{}, found));
  const Value places = rw.create(ops::Squeeze{}, missing, rw.integers({0}));
  return Outputs{rw.create(ops::Gather{}, node.input(0), places, rw.scalar<std::int64_t>(0)), places};
}

/// LowerBound(sorted [B, N], values [B, M]) -> how many of a row of `sorted` are less than a value; UpperBound: not
/// greater. Counted, because only the newest op sets can search.
template <class Before>
Replacement count_before(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  const Value sorted = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({1}));
  const Value values = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({2}));
  const Value before = as_type(rw, rw.create(Before{}, sorted, values), node.attr("out_type", ElementType::i32));
  return rw.create(ops::ReduceSum{}, before, rw.integers({2}));
}

}  // namespace

/// Where elements are among others.
void register_search(OperatorTable& table) {
  for (const char* op : {"Unique", "UniqueV2"}) table.translate(op, unique, outputs(2));
  for (const char* op : {"UniqueWithCounts", "UniqueWithCountsV2"}) table.translate(op, unique, outputs(3));
  table.translate("ListDiff", list_difference, outputs(2));
  table.translate("LowerBound", count_before<ops::Less>);
  table.translate("UpperBound", count_before<ops::LessEqual>);
}

}  // namespace mo::tensorflow
