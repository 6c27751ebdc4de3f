#include <algorithm>
#include <numeric>

#include "ops/mat_mul.hpp"
#include "ops/pad.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The numbers that a register of the processor holds: shorter rows leave some of them as they were.
constexpr std::int64_t kRegister = 16;

/// Returns true for the sizes that the runtime multiplies by that kernel, which takes three rows at a time, or two and
/// two where one would be left.
bool is_for_kernel(std::int64_t rows, std::int64_t length) {
  return length > 1 && length < kRegister && rows > 2 && rows < kRegister && rows % 3 != 1;
}

/// A matrix that does not depend on inputs, perhaps with further dimensions of size 1: one product of all rows.
bool is_constant_matrix(const Value& b) {
  const PartialShape& shape = b.type().shape;
  if (!shape.has_rank() || shape.size() < 2 || is_computed(b)) return false;
  return std::all_of(shape.begin(), shape.end() - 2, [](const Dimension& size) { return size == Dimension(1); });
}

Value with_zeros(Rewriter& rw, const Value& data, bool along_last, std::int64_t length) {
  const std::size_t rank = data.type().shape.size();
  std::vector<std::int64_t> begins(rank, 0);
  std::vector<std::int64_t> ends(rank, 0);
  ends[along_last ? rank - 1 : rank - 2] = kRegister - length;
  return rw.fold(ops::v1::Pad{}, data, rw.integers(begins), rw.integers(ends), rw.scalar_like(data, 0));
}

Value transposed(Rewriter& rw, const Value& data) {
  std::vector<std::int64_t> order(data.type().shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return rw.fold(ops::Transpose{}, data, rw.integers(order));
}

/// a x b -> (a with zeros after its rows) x (b with zeros below), and a x transpose(b) without that attribute where b
/// is computed.
Replacement of_long_rows(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::MatMul>();
  const Value a = node.input(0);
  const Value b = node.input(1);
  const auto shape = a.type().shape.to_shape();
  const auto b_rank = b.type().rank();
  if (!is_real(a.type().element_type) || !shape || shape->size() < 2 || !b_rank || *b_rank < 2)
    return declined("not matrices of known sizes of floating-point values");
  const std::size_t rank = shape->size();
  const std::int64_t length = (*shape)[op.transpose_a ? rank - 2 : rank - 1];
  std::int64_t rows = (*shape)[op.transpose_a ? rank - 1 : rank - 2];
  if (is_constant_matrix(b)) {
    for (std::size_t i = 0; i + 2 < rank; ++i) rows *= (*shape)[i];
    if (!is_for_kernel(rows, length)) return declined("other numbers of rows or columns");
    return rw.create(op, with_zeros(rw, a, !op.transpose_a, length), with_zeros(rw, b, op.transpose_b, length));
  }
  if (op.transpose_a || !op.transpose_b || !is_for_kernel(rows, length))
    return declined("other numbers of rows or columns, or not of rows and rows");
  return rw.create(ops::MatMul{}, a, transposed(rw, b));
}

}  // namespace

void register_products_of_short_rows(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "ProductsOfShortRows",
          {.form = "MatMul of 3 to 15 rows of 2 to 15 numbers with a constant matrix, or with rows (transpose_b)",
           .symptom = "NaN where earlier ops left bits of NaN in registers, as negative integers are",
           .first = "2021.4",
           .last = "2021.4",
           .replacement = "rows of 16 numbers by a Pad with zeros; Transpose of computed rows"})
          .add(lowering<ops::MatMul>("OfLongRows", of_long_rows)));
}

}  // namespace mo::transformations
