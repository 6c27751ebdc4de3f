#include "ops/build/inverse.hpp"

#include <algorithm>

#include "ops/broadcast.hpp"
#include "ops/build/scan.hpp"
#include "ops/concat.hpp"
#include "ops/loop.hpp"
#include "ops/mat_mul.hpp"
#include "ops/top_k.hpp"

namespace mo::build {
namespace {

/// Inverse of matrices [..., n, n] for n from 2 to 4: adjugate / determinant, as elements [..., 1, 1].
class SmallInverse {
 public:
  SmallInverse(Rewriter& rw, const Value& x, std::int64_t size) : rw_(rw), size_(size) {
    for (std::int64_t row = 0; row < size; ++row) {
      const Value line = slice_along(rw, x, -2, row, row + 1);
      for (std::int64_t column = 0; column < size; ++column)
        elements_.push_back(term(rw, slice_along(rw, line, -1, column, column + 1)));
    }
  }

  Value result() {
    std::vector<Term> cofactors;
    for (std::int64_t row = 0; row < size_; ++row)
      for (std::int64_t column = 0; column < size_; ++column) cofactors.push_back(cofactor(row, column));
    Term determinant = element(0, 0) * cofactors[0];
    for (std::int64_t column = 1; column < size_; ++column)
      determinant = determinant + element(0, column) * cofactors[static_cast<std::size_t>(column)];
    std::vector<Value> lines;
    for (std::int64_t row = 0; row < size_; ++row) {
      std::vector<Value> line;
      for (std::int64_t column = 0; column < size_; ++column)
        line.push_back(cofactors[static_cast<std::size_t>(column * size_ + row)]);
      lines.push_back(rw_.create(ops::Concat{.axis = -1}, line));
    }
    return rw_.create(ops::Divide{}, rw_.create(ops::Concat{.axis = -2}, lines), determinant.value());
  }

 private:
  const Term& element(std::int64_t row, std::int64_t column) const {
    return elements_[static_cast<std::size_t>(row * size_ + column)];
  }

  /// The determinant of what the given rows and columns hold.
  Term determinant(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns) const {
    if (rows.size() == 1) return element(rows[0], columns[0]);
    const std::vector<std::int64_t> below(rows.begin() + 1, rows.end());
    std::optional<Term> sum;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<std::int64_t> others = columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const Term product = element(rows[0], columns[i]) * determinant(below, others);
      sum.emplace(!sum ? product : i % 2 == 1 ? *sum - product : *sum + product);
    }
    return *sum;
  }

  Term cofactor(std::int64_t row, std::int64_t column) const {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> columns;
    for (std::int64_t i = 0; i < size_; ++i) {
      if (i != row) rows.push_back(i);
      if (i != column) columns.push_back(i);
    }
    const Term minor = determinant(rows, columns);
    return (row + column) % 2 == 0 ? minor : minor.apply(ops::Negative{});
  }

  Rewriter& rw_;
  std::int64_t size_;
  std::vector<Term> elements_;
};

/// One step of Gauss and Jordan: the row of the pivot is divided by it, and its multiples leave a single 1 in the
/// column. Parameters and results: matrices with the identity beside them [B, n, 2 n], open rows [B, n], and which row
/// was the pivot of which step, [B, n, n].
Body inversion_step(ElementType type) {
  auto graph = std::make_unique<Graph>();
  Rewriter rw(*graph);
  const Term step = body_parameter(rw, "step", ElementType::i64, 0);
  const Term matrix = body_parameter(rw, "matrix", type, 3);
  const Term open = body_parameter(rw, "open", type, 2);
  const Term order = body_parameter(rw, "order", type, 3);

  const Pivot pivot = next_pivot(matrix, open, step);
  const Term row = pivot.row / pivot.value.unsqueezed({1});
  // From the row itself, subtracts what leaves the divided one.
  const Term factors = pivot.column - pivot.chosen;
  const Term next = matrix - factors.unsqueezed({2}) * row.unsqueezed({1});
  const Term places = count_up(rw, as_scalar(rw, length_along(rw, order, 1)), ElementType::i64);
  const Term here = Term(rw, as_type_of(rw, equal(places, step), matrix), type).reshaped({1, -1, 1});
  const Term next_order = order + here * pivot.chosen.unsqueezed({1});

  for (const Value& result : {rw.scalar(true), next.value(), (open - pivot.chosen).value(), next_order.value()})
    graph->create_result(result);
  return Body(std::move(graph));
}

Value by_elimination(Rewriter& rw, const Value& x) {
  const ElementType type = type_of(x).element_type;
  const Value size = length_along(rw, x, -1);
  const Value count = as_scalar(rw, size);
  const Value matrices = rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1}), size, size}));
  const Value batch = length_along(rw, matrices, 0);
  const Term rows = count_up(rw, count, ElementType::i64);
  const Value identity = as_type_of(rw, equal(rows.unsqueezed({1}), rows), x);
  const Value square = join(rw, {batch, size, size});
  const Value beside = rw.create(ops::Concat{.axis = 2}, matrices, rw.create(ops::Broadcast{}, identity, square));
  ops::Loop loop;
  loop.body = inversion_step(type);
  loop.input_map = {whole_input(-1, 0), whole_input(2, 1), whole_input(3, 2), whole_input(4, 3)};
  loop.output_map = {last_output(-1, 0), last_output(0, 1), last_output(1, 3)};
  loop.back_edges = {{.result = 1, .parameter = 1}, {.result = 2, .parameter = 2}, {.result = 3, .parameter = 3}};
  const Value ones = repeat(rw, number_like(rw, x, 1), join(rw, {batch, size}));
  const Value zeros = repeat(rw, number_like(rw, x, 0), square);
  const Node made = rw.create_node(std::move(loop), {count, rw.scalar(true), beside, ones, zeros}, 2);
  const Value right =
      rw.create(ops::Gather{}, made.output(0), rw.create(ops::Add{}, rows, count), rw.scalar<std::int64_t>(2));
  return rw.create(ops::Reshape{}, rw.create(ops::MatMul{}, made.output(1), right), shape_of(rw, x));
}

}  // namespace

Pivot next_pivot(const Term& matrix, const Term& open, const Value& step) {
  Rewriter& rw = matrix.rewriter();
  const Term column(rw, rw.create(ops::Gather{}, matrix, step, rw.scalar<std::int64_t>(2)), matrix.type());
  const Term score = absolute(column) * open + (open - 1);  // -1 for rows that are used up
  const ops::TopK largest{.axis = 1, .index_element_type = ElementType::i64};
  const Term best(rw, rw.create_node(largest, {score.value(), rw.scalar<std::int64_t>(1)}).output(1), ElementType::i64);
  const Term places = count_up(rw, as_scalar(rw, length_along(rw, matrix, 1)), ElementType::i64);
  const Term chosen(rw, as_type_of(rw, equal(places, best), matrix), matrix.type());
  const auto summed = [](const Term& x) { return reduced<ops::ReduceKind::sum>(x, {1}, false); };
  return {column, best, chosen, summed(matrix * chosen.unsqueezed({2})), summed(column * chosen)};
}

Value inverse(Rewriter& rw, const Value& x, std::int64_t rows) {
  constexpr std::int64_t kMostRowsOfMinors = 4;
  if (rows == 1) return rw.create(ops::Divide{}, number_like(rw, x, 1), x);
  return rows > 1 && rows <= kMostRowsOfMinors ? SmallInverse(rw, x, rows).result() : by_elimination(rw, x);
}

}  // namespace mo::build
