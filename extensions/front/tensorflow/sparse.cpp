#include "extensions/support/sparse.hpp"
#include "extensions/front/tensorflow/inputs.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/gather_nd.hpp"
#include "ops/non_zero.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"

namespace mo::front::tensorflow {
namespace {

/// A sparse tensor at inputs `at`, `at + 1`, `at + 2` of a node.
struct Sparse {
  Term indices;
  Term values;
  Term shape;
};

Sparse sparse_at(const Node& node, Rewriter& rw, std::size_t at, ElementType type) {
  return {{rw, node.input(at), ElementType::i64}, {rw, node.input(at + 1), type}, {rw, node.input(at + 2), ElementType::i64}};
}

/// Inputs: a sparse tensor, a default value. Rows (of dimension 0) without elements get one at their first column. Outputs: indices and values in the
/// order of rows, which rows were empty, and where each element went.
Replacement replace_fill_empty_rows(const Node& node, Rewriter& rw) {
  const Sparse x = sparse_at(node, rw, 0, type_attribute(node));
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value one_length = rw.integers({1});
  const Value rows = slice_along(rw, x.shape, 0, 0, 1);
  const Value row_of_each = column_of(rw, x.indices, 0);
  const Value count = shape_of(rw, row_of_each);
  const Value nothing = rw.create(ops::Broadcast{}, zero, rows);
  const Value ones = rw.create(ops::Broadcast{}, rw.scalar<std::int64_t>(1), count);
  const Term marked(rw, rw.create(ops::v3::ScatterElementsUpdate{}, nothing, row_of_each, ones, zero), ElementType::i64);
  const Term empty = equal(marked, 0);
  const Value empty_rows = rw.create(ops::Reshape{}, rw.create(ops::NonZero{}, empty.value()), rw.integers({-1}));

  // The new elements behind the old ones, then all of them by row, in their order within a row.
  const Value rank = length_along(rw, x.indices, 1);
  const Value added = shape_of(rw, empty_rows);
  const Value other_columns = rw.create(ops::Subtract{}, rank, one_length);
  const Value zeros = rw.create(ops::Broadcast{}, zero, join(rw, {added, other_columns}));
  const Value first_column = rw.create(ops::Unsqueeze{}, empty_rows, one_length);
  const Value added_indices = rw.create(ops::Concat{.axis = 1}, first_column, zeros);
  const Term indices(rw, rw.create(ops::Concat{.axis = 0}, x.indices.value(), added_indices), ElementType::i64);
  const Value defaults = rw.create(ops::Broadcast{}, node.input(3), added);
  const Term values(rw, join(rw, {x.values, defaults}), x.values.type());
  const Term all_rows(rw, join(rw, {row_of_each, empty_rows}), ElementType::i64);
  const Term total(rw, shape_of(rw, all_rows), ElementType::i64);
  const Term numbers = count_up(rw, as_scalar(rw, total), ElementType::i64);
  const Term from = ascending(all_rows * total + numbers).from;

  const Value unknown = rw.create(ops::Broadcast{}, zero, total.value());
  const Value went = rw.create(ops::v3::ScatterElementsUpdate{}, unknown, from.value(), numbers.value(), zero);
  const Value of_old = rw.create(ops::Slice{}, went, rw.integers({0}), count, one_length, rw.integers({0}));
  return Outputs{rows_of_places(indices, from).value(), rows_of_places(values, from).value(), empty.value(), of_old};
}

/// Inputs: indices, shape, new shape, of which one dimension may be -1. Outputs: indices, shape.
Replacement replace_reshape(const Node& node, Rewriter& rw) {
  const Term indices(rw, node.input(0), ElementType::i64);
  const Term shape(rw, node.input(1), ElementType::i64);
  const Term wanted(rw, node.input(2), ElementType::i64);
  const Term open = equal(wanted, -1);
  const Term given = reduced<ops::ReduceKind::prod>(choose(open, wanted.number(1), wanted), {0}, false);
  const Term left = reduced<ops::ReduceKind::prod>(shape, {0}, false) / larger(given, 1);
  const Term target = choose(open, left, wanted);
  return Outputs{indices_of_places(flat_places_of(indices, shape), target).value(), target.value()};
}

/// Row-major order.
Outputs in_order(const Term& indices, const Term& values, const Term& shape) {
  const Term from = ascending(flat_places_of(indices, shape)).from;
  return {rows_of_places(indices, from).value(), rows_of_places(values, from).value()};
}

Replacement replace_reorder(const Node& node, Rewriter& rw) {
  const Sparse x = sparse_at(node, rw, 0, type_attribute(node));
  return in_order(x.indices, x.values, x.shape);
}

/// Inputs: a sparse tensor, start and size of a part. What lies inside moves to the origin.
Replacement replace_sparse_slice(const Node& node, Rewriter& rw) {
  const Sparse x = sparse_at(node, rw, 0, type_attribute(node));
  const Term start(rw, node.input(3), ElementType::i64);
  const Term size(rw, node.input(4), ElementType::i64);
  const Term moved = x.indices - start;
  const Term inside = both(greater_equal(moved, 0), less(moved, size));
  const Value kept = rw.create(ops::ReduceLogicalAnd{}, inside.value(), rw.integers({1}));
  const Value places = rw.create(ops::Reshape{}, rw.create(ops::NonZero{}, kept), rw.integers({-1}));
  const Term shape = larger(smaller(size, x.shape - start), 0);
  return Outputs{rows_of_places(moved, places).value(), rows_of_places(x.values, places).value(), shape.value()};
}

/// Inputs: the indices, values and shapes of all parts. TensorFlow SparseConcat gives the elements in row-major order.
Replacement replace_concat(const Node& node, Rewriter& rw) {
  const std::size_t parts = node.in_port_count() / 3;
  const auto axis = node.attr<std::int64_t>("axis").value_or(0);
  for (std::size_t i = 0; i < 3 * parts; ++i)
    if (!node.input(i)) return missing_input_of(node, i);
  const auto shape_at = [&](std::size_t i) { return Term(rw, node.input(2 * parts + i), ElementType::i64); };
  const Term first_shape = shape_at(0);
  const Term rank(rw, as_scalar(rw, shape_of(rw, first_shape)), ElementType::i64);
  const Term place = axis < 0 ? rank + static_cast<double>(axis) : rank.number(static_cast<double>(axis));
  const Term along = equal(count_up(rw, rank, ElementType::i64), place).as(ElementType::i64);  // 1 at the axis, else 0
  Term offset = first_shape * along;
  std::vector<Value> indices{node.input(0)};
  std::vector<Value> values{node.input(parts)};
  for (std::size_t i = 1; i < parts; ++i) {
    indices.push_back(Term(rw, node.input(i), ElementType::i64) + offset);
    values.push_back(node.input(parts + i));
    offset = offset + shape_at(i) * along;
  }
  const Term shape = first_shape * (1 - along) + offset;
  const Term all_indices(rw, join(rw, indices), ElementType::i64);
  Outputs outputs = in_order(all_indices, {rw, join(rw, values), ElementType::dynamic}, shape);
  outputs.push_back(shape);
  return outputs;
}

/// Inputs: a sparse matrix a, a dense matrix b. Row i of the product is the sum of a[i, k] * b[k], over the elements that there are.
Replacement replace_mat_mul(const Node& node, Rewriter& rw) {
  const bool transposed = node.attr<bool>("adjoint_a").value_or(false);
  const Sparse a = sparse_at(node, rw, 0, type_attribute(node));
  Value b = node.input(3);
  if (node.attr<bool>("adjoint_b").value_or(false)) b = rw.create(ops::Transpose{}, b, rw.integers({1, 0}));
  const Term row(rw, column_of(rw, a.indices, transposed ? 1 : 0), ElementType::i64);
  const Value k = column_of(rw, a.indices, transposed ? 0 : 1);
  const Term products = rows_of_places({rw, b, a.values.type()}, k) * a.values.unsqueezed({1});
  return sum_of_rows(rw, products, row, integer_at(rw, a.shape, transposed ? 1 : 0));
}

Replacement replace_dense_add(const Node& node, Rewriter& rw) {
  const Sparse a = sparse_at(node, rw, 0, type_attribute(node));
  return (Term(rw, node.input(3), a.values.type()) + dense_of(a.indices, a.values, a.shape)).value();
}

/// Inputs: a sparse tensor, axes (none: all; they may be negative).
Replacement replace_reduce_sum(const Node& node, Rewriter& rw) {
  const Sparse x = sparse_at(node, rw, 0, type_attribute(node));
  Value axes = node.input(3);
  if (const auto known = known_integers(axes); known && known->empty()) axes = count_up(rw, as_scalar(rw, shape_of(rw, x.shape)), ElementType::i64);
  return rw.create(ops::ReduceSum{.keep_dims = node.attr<bool>("keep_dims").value_or(false)}, dense_of(x.indices, x.values, x.shape).value(), axes);
}

/// Inputs: a sparse tensor, a dense one that broadcasts to its shape. Only the values that there are take part.
Replacement replace_with_dense(const Node& node, Rewriter& rw) {
  const Sparse x = sparse_at(node, rw, 0, type_attribute(node));
  const Value dense = rw.create(ops::Broadcast{}, node.input(3), x.shape.value());
  const Value others = rw.create(ops::GatherND{}, dense, x.indices.value());
  if (node.is("TfSparseDenseCwiseAdd")) return x.values.apply(ops::Add{}, others).value();
  if (node.is("TfSparseDenseCwiseMul")) return x.values.apply(ops::Multiply{}, others).value();
  return x.values.apply(ops::Divide{.m_pythondiv = false}, others).value();
}

}  // namespace

void register_sparse(PassRegistry& passes) {
  passes.add(front_replacement_op("TfSparseFillEmptyRows").replace_op(needing(4, replace_fill_empty_rows)));
  passes.add(front_replacement_op("TfSparseReshape").replace_op(needing(3, replace_reshape)));
  passes.add(front_replacement_op("TfSparseReorder").replace_op(needing(3, replace_reorder)));
  passes.add(front_replacement_op("TfSparseSlice").replace_op(needing(5, replace_sparse_slice)));
  passes.add(front_replacement_op("TfSparseConcat").replace_op(needing(3, replace_concat)));
  passes.add(front_replacement_op("TfSparseTensorDenseMatMul").replace_op(needing(4, replace_mat_mul)));
  passes.add(front_replacement_op("TfSparseTensorDenseAdd").replace_op(needing(4, replace_dense_add)));
  passes.add(front_replacement_op("TfSparseReduceSum").replace_op(needing(4, replace_reduce_sum)));
  for (const char* op : {"TfSparseDenseCwiseMul", "TfSparseDenseCwiseDiv", "TfSparseDenseCwiseAdd"})
    passes.add(front_replacement_op(op).replace_op(needing(4, replace_with_dense)));
}

}  // namespace mo::front::tensorflow
