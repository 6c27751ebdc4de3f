#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/eye.hpp"
#include "ops/gather_nd.hpp"
#include "ops/one_hot.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/search_sorted.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

/// GatherND with several batch dimensions: opset5 merges them, which Reshape undoes.
Replacement gather_nd(const Node& node, Rewriter& rw) {
  const auto shape = node.output_type().shape.to_shape();
  if (!shape) return Replacement::declined();
  const Value merged = rw.create(ops::v5::GatherND{.batch_dims = node.as<ops::v8::GatherND>()->batch_dims},
                                 node.input(0), node.input(1));
  return rw.create(ops::Reshape{.special_zero = false}, merged, rw.integers(*shape));
}

/// Squeeze that skips dimensions which are not 1 -> Reshape to the shape that is left.
Replacement squeeze(const Node& node, Rewriter& rw) {
  const auto shape = node.output_type().shape.to_shape();
  if (!shape) return Replacement::declined();
  return rw.create(ops::Reshape{.special_zero = false}, node.input(0), rw.constant(Tensor::vector(*shape)));
}

/// OneHot of indices that may count from the back -> OneHot(Select(i < 0, i + depth, i)).
Replacement one_hot(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v16::OneHot>();
  const Value indices = node.input(0);
  Value depth = node.input(1);
  if (depth.type().element_type != indices.type().element_type)
    depth = rw.create(ops::Convert{.destination_type = indices.type().element_type}, depth);
  const Value negative = rw.create(ops::Less{}, indices, rw.scalar_like(indices, 0));
  const Value counted = rw.create(ops::Select{}, negative, rw.create(ops::Add{}, indices, depth), indices);
  return rw.create(ops::OneHot{.axis = op.axis}, counted, node.input(1), node.input(2), node.input(3));
}

/// SearchSorted(sorted, values) -> how many of the sorted ones are less than (with right_mode: at most) the value.
Replacement search_sorted(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::SearchSorted>();
  const auto sorted_rank = node.input_type(0).rank();
  const auto rank = node.input_type(1).rank();
  const ElementType type = node.output_type().element_type;
  if (!sorted_rank || !rank || *sorted_rank < 1 || (type != ElementType::i64 && type != ElementType::i32))
    return Replacement::declined();
  Value sorted = node.input(0);
  if (*sorted_rank > 1) sorted = rw.create(ops::Unsqueeze{}, sorted, rw.integers({*sorted_rank - 1}));
  const Value values = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({*rank}));
  const Value before =
      op.right_mode ? rw.create(ops::LessEqual{}, sorted, values) : rw.create(ops::Less{}, sorted, values);
  return rw.create(ops::ReduceSum{}, rw.create(ops::Convert{.destination_type = type}, before), rw.integers({*rank}));
}

/// Eye -> row + diagonal = column, as numbers. (A small one is a constant already: FoldNewerOps.)
Replacement eye(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 22;
  const auto rows = single_integer_of(node.input(0));
  const auto columns = node.input(1) ? single_integer_of(node.input(1)) : rows;
  const auto diagonal = node.input(2) ? single_integer_of(node.input(2)) : std::optional<std::int64_t>(0);
  const auto shape = node.output_type().shape.to_shape();
  const auto fits = [](const std::optional<std::int64_t>& v, std::int64_t least) {
    return v && *v >= least && *v <= kMostRows;
  };
  if (!shape || !fits(rows, 0) || !fits(columns, 0) || !fits(diagonal, -kMostRows)) return Replacement::declined();
  Integers row;
  Integers column;
  for (std::int64_t i = 0; i < *rows; ++i) row.push_back(i + *diagonal);
  for (std::int64_t i = 0; i < *columns; ++i) column.push_back(i);
  const Value as_column = rw.constant(Tensor::of<std::int64_t>({*rows, 1}, row));
  const Value ones = rw.create(ops::Equal{}, as_column, rw.integers(column));
  const Value matrix = rw.create(ops::Convert{.destination_type = node.as<ops::Eye>()->output_type}, ones);
  return shape->size() == 2 ? matrix : rw.create(ops::Broadcast{}, matrix, rw.integers(*shape));
}

}  // namespace

/// Ops that move or make elements and that the target does not read, said with older ones.
void register_lower_movement(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerMovement")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::v8::GatherND>("GatherNDWithBatches", gather_nd)))
                 .add(where_too_new(lowering<ops::v15::Squeeze>("SqueezeWithSkips", squeeze)))
                 .add(where_too_new(lowering<ops::v16::OneHot>("OneHotWithNegativeIndices", one_hot)))
                 .add(where_too_new(lowering<ops::SearchSorted>("SearchSortedDecomposition", search_sorted)))
                 .add(where_too_new(lowering<ops::Eye>("EyeDecomposition", eye))));
}

}  // namespace mo::transformations
