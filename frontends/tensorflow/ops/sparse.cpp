#include "frontends/tensorflow/ops/support/sparse.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/gather_nd.hpp"
#include "ops/non_zero.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {
namespace {

/// A sparse tensor.
struct Sparse {
  Term indices;
  Term values;
  Term shape;
};

/// The sparse tensor that the first three inputs are, of a node that needs `inputs` of them. Errors: MO-FRONT-0006,
/// MO-TF-0550 (complex numbers).
Expected<Sparse> first_sparse(const FrameworkNode& node, Rewriter& rw, std::size_t inputs) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(inputs));
  return Sparse{term(rw, node.input(0)), term(rw, node.input(1)), term(rw, node.input(2))};
}

/// Inputs: a sparse tensor, a default value. Rows (of dimension 0) without elements get one at their first column.
/// Outputs: indices and values in the order of rows, which rows were empty, and where each element went.
Replacement fill_empty_rows(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Sparse x, first_sparse(node, rw, 4));
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value one_length = rw.integers({1});
  const Value rows = slice_along(rw, x.shape, 0, 0, 1);
  const Value row_of_each = column_of(rw, x.indices, 0);
  const Value count = shape_of(rw, row_of_each);
  const Value nothing = rw.create(ops::Broadcast{}, zero, rows);
  const Value ones = rw.create(ops::Broadcast{}, rw.scalar<std::int64_t>(1), count);
  const Term marked(rw, rw.create(ops::v3::ScatterElementsUpdate{}, nothing, row_of_each, ones, zero),
                    ElementType::i64);
  const Term empty = equal(marked, 0);
  const Value empty_rows = rw.create(ops::Reshape{}, rw.create(ops::NonZero{}, empty.value()), rw.integers({-1}));

  // The new elements after the old ones, then all of them by row, in their order within a row.
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
Replacement sparse_reshape(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
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

Replacement sparse_reorder(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Sparse x, first_sparse(node, rw, 3));
  return in_order(x.indices, x.values, x.shape);
}

/// Inputs: a sparse tensor, start and size of a part. What lies inside moves to the origin.
Replacement sparse_slice(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Sparse x, first_sparse(node, rw, 5));
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
Replacement sparse_concat(const FrameworkNode& node, Rewriter& rw) {
  const auto axis = node.required<std::int64_t>("concat_dim");
  const auto count = node.attr<std::int64_t>("N", 0);
  const std::size_t parts = node.input_count() / 3;
  if (count < 1 || static_cast<std::uint64_t>(count) != parts || node.input_count() % 3 != 0)
    return node.error("MO-TF-0720", "N is {}, but there are {} inputs", count, node.input_count())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  MO_TRY(node.expect_inputs(3 * parts));
  const auto shape_at = [&](std::size_t i) { return Term(rw, node.input(2 * parts + i), ElementType::i64); };
  const Term first_shape = shape_at(0);
  const Term rank = term(rw, list_length(rw, first_shape));
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
  Outputs outputs = in_order(all_indices, term(rw, join(rw, values)), shape);
  outputs.push_back(shape);
  return outputs;
}

/// Inputs: a sparse matrix a, a dense matrix b. Row i of the product is the sum of a[i, k] * b[k], over the elements
/// that there are.
Replacement sparse_dense_mat_mul(const FrameworkNode& node, Rewriter& rw) {
  const bool transposed = node.attr("adjoint_a", false);
  MO_ASSIGN(const Sparse a, first_sparse(node, rw, 4));
  Value b = node.input(3);
  if (node.attr("adjoint_b", false)) b = rw.create(ops::Transpose{}, b, rw.integers({1, 0}));
  const Term row(rw, column_of(rw, a.indices, transposed ? 1 : 0), ElementType::i64);
  const Value k = column_of(rw, a.indices, transposed ? 0 : 1);
  const Term products = rows_of_places(term(rw, b), k) * a.values.unsqueezed({1});
  return sum_of_rows(rw, products, row, integer_at(rw, a.shape, transposed ? 1 : 0));
}

Replacement sparse_dense_add(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Sparse a, first_sparse(node, rw, 4));
  return (term(rw, node.input(3)) + dense_of(a.indices, a.values, a.shape)).value();
}

/// Inputs: a sparse tensor, axes (none: all; they may be negative).
Replacement sparse_reduce_sum(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Sparse x, first_sparse(node, rw, 4));
  Value axes = node.input(3);
  if (const auto known = integers_of(axes); known && known->empty())
    axes = count_up(rw, list_length(rw, x.shape), ElementType::i64);
  return rw.create(ops::ReduceSum{.keep_dims = node.attr("keep_dims", false)},
                   dense_of(x.indices, x.values, x.shape).value(), axes);
}

/// Inputs: a sparse tensor, a dense one that broadcasts to its shape. Only the values that there are take part.
template <class T>
Translator sparse_with_dense(T op) {
  return [op](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(const Sparse x, first_sparse(node, rw, 4));
    const Value dense = rw.create(ops::Broadcast{}, node.input(3), x.shape.value());
    return x.values.apply(op, rw.create(ops::GatherND{}, dense, x.indices.value())).value();
  };
}

}  // namespace

/// A sparse tensor is three tensors: indices [n, rank], values [n], shape [rank].
void register_sparse(OperatorTable& table) {
  table.translate("SparseFillEmptyRows", fill_empty_rows, outputs(4));
  table.translate("SparseReshape", sparse_reshape, outputs(2));
  table.translate("SparseReorder", sparse_reorder, outputs(2));
  table.translate("SparseSlice", sparse_slice, outputs(3));
  table.translate("SparseConcat", sparse_concat, outputs(3));
  table.translate("SparseTensorDenseMatMul", sparse_dense_mat_mul);
  table.translate("SparseTensorDenseAdd", sparse_dense_add);
  table.translate("SparseReduceSum", sparse_reduce_sum);
  table.translate("SparseDenseCwiseMul", sparse_with_dense(ops::Multiply{}));
  table.translate("SparseDenseCwiseAdd", sparse_with_dense(ops::Add{}));
  // of integers, the fraction is cut off
  table.translate("SparseDenseCwiseDiv", sparse_with_dense(ops::Divide{.m_pythondiv = false}));
}

}  // namespace mo::tensorflow
