#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"

namespace mo::onnx {
namespace {

/// Inverse of matrices [..., n, n] for n from 2 to 4: adjugate / determinant, as elements [..., 1, 1].
class SmallInverse {
 public:
  SmallInverse(Rewriter& rw, const Value& x, std::int64_t size) : rw_(rw), size_(size) {
    for (std::int64_t row = 0; row < size; ++row) {
      const Value line = slice_along(rw, x, -2, row, row + 1);
      for (std::int64_t column = 0; column < size; ++column) elements_.push_back(term(rw, slice_along(rw, line, -1, column, column + 1)));
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
      for (std::int64_t column = 0; column < size_; ++column) line.push_back(cofactors[static_cast<std::size_t>(column * size_ + row)]);
      lines.push_back(rw_.create(ops::Concat{.axis = -1}, line));
    }
    return rw_.create(ops::Divide{}, rw_.create(ops::Concat{.axis = -2}, lines), determinant.value());
  }

 private:
  const Term& element(std::int64_t row, std::int64_t column) const { return elements_[static_cast<std::size_t>(row * size_ + column)]; }

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

Replacement inverse(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const PartialShape& shape = x.type().shape;
  constexpr std::int64_t kMostRows = 4;
  // One of the two dimensions is enough: they are equal.
  const auto rows_at = [&](std::size_t from_back) {
    return shape.size() >= 2 && shape[shape.size() - from_back].is_known() ? shape[shape.size() - from_back].value() : 0;
  };
  const std::int64_t rows = std::max(rows_at(1), rows_at(2));
  if (rows < 1 || rows > kMostRows || (rows_at(1) > 0 && rows_at(2) > 0 && rows_at(1) != rows_at(2)))
    return node
        .error("MO-ONNX-0448", "matrices of shape {} cannot be inverted: an IR has no such operation, and only up to {} rows are spelled out",
               shape.to_string(), kMostRows)
        .hint("give the shape of the input with --input_shape, or compute the inverse outside of the model");
  if (rows == 1) return rw.create(ops::Divide{}, number_like(rw, x, 1), x);
  return SmallInverse(rw, x, rows).result();
}

}  // namespace

void register_microsoft_inverse(OperatorTable& table) { table.translate("com.microsoft::Inverse", since(1), inverse); }

}  // namespace mo::onnx
