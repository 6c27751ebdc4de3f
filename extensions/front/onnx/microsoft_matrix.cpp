#include "extensions/support/onnx_operands.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"

namespace mo::front::onnx {
namespace {

using Numbers = std::vector<double>;

Replacement with_activation(const Node& node, Rewriter& rw, const Value& x, const Numbers& parameters) {
  auto y = activated(node, rw, x, node.attr<std::string>("activation").value_or(""), parameters);
  if (!y) return std::move(y).error();
  return *y;
}

/// A matrix whose rows lie along dimension 0, in front of the batch: [M, batch…, K] -> [batch…, M, K].
Value with_batch_in_front(Rewriter& rw, const Value& x) {
  if (const auto rank = source_rank(x)) {
    if (*rank < 3) return x;
    std::vector<std::int64_t> order;
    for (std::int64_t i = 1; i + 1 < *rank; ++i) order.push_back(i);
    order.insert(order.end(), {0, *rank - 1});
    return rw.create(ops::Transpose{}, x, rw.integers(order));
  }
  const Value rank = rank_length(rw, x);
  const Value last = rw.create(ops::Subtract{}, rank, rw.integers({1}));
  const Value batch =
      rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(1), as_scalar(rw, last), rw.scalar<std::int64_t>(1));
  return rw.create(ops::Transpose{}, x, join(rw, {batch, rw.integers({0}), last}));
}

/// FusedMatMul(a, b) -> activation(alpha * MatMul(a, b))
Replacement fused_matmul(const Node& node, Rewriter& rw) {
  const Value a = node.attr<bool>("transBatchA").value_or(false) ? with_batch_in_front(rw, node.input(0)) : node.input(0);
  const Value b = node.attr<bool>("transBatchB").value_or(false) ? with_batch_in_front(rw, node.input(1)) : node.input(1);
  Value product = rw.create(
      ops::MatMul{.transpose_a = node.attr<bool>("transA").value_or(false), .transpose_b = node.attr<bool>("transB").value_or(false)}, a, b);
  const double alpha = node.attr<double>("alpha").value_or(1);
  if (alpha != 1) product = rw.create(ops::Multiply{}, product, number_like(rw, product, alpha));
  return with_activation(node, rw, product, node.attr<Numbers>("parameters").value_or(Numbers{}));
}

/// FusedGemm(a, b, c) -> activation(Gemm(a, b, c))
Replacement fused_gemm(const Node& node, Rewriter& rw) {
  AttributeMap attributes;
  for (const std::string_view name : {"alpha", "beta", "transA", "transB"}) attributes.set(name, node.attribute(name));
  const Value inputs[] = {node.input(0), node.input(1), node.input(2)};
  const Value y = rw.create_node(front_op("OnnxGemm", std::move(attributes)), inputs, 1).output();
  return with_activation(node, rw, y, node.attr<Numbers>("parameters").value_or(Numbers{}));
}

/// GemmFastGelu(a, b, bias) -> FastGelu(a * b + bias)
Replacement gemm_fast_gelu(const Node& node, Rewriter& rw) {
  Value sum = rw.create(ops::MatMul{}, node.input(0), node.input(1));
  if (node.input(2)) sum = rw.create(ops::Add{}, sum, node.input(2));
  auto y = activated(node, rw, sum, "FastGelu", {});
  if (!y) return std::move(y).error();
  return *y;
}

/// CDist(a [M, K], b [N, K]) -> distances [M, N], squared or not
Replacement distances(const Node& node, Rewriter& rw) {
  const Value a = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({1}));
  const Value b = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({0}));
  const Value squares = rw.create(ops::ReduceSum{}, rw.create(ops::SquaredDifference{}, a, b), rw.integers({2}));
  return node.attr<bool>("squared").value_or(true) ? squares : rw.create(ops::Sqrt{}, squares);
}

/// Complex numbers as a last dimension of 2: (a + bi) * (c + di) = (ac - bd) + (ad + bc)i; `conjugate`: d is negated.
Replacement complex_multiply(const Node& node, Rewriter& rw) {
  const auto part = [&](std::size_t input, std::int64_t i) {
    return term(rw, rw.create(ops::Gather{}, node.input(input), rw.integers({i}), rw.scalar<std::int64_t>(-1)));
  };
  const Term a = part(0, 0);
  const Term b = part(0, 1);
  const Term c = part(1, 0);
  const Term d = part(1, 1);
  const bool conjugate = node.attr<bool>("conjugate").value_or(false);
  const Term real = conjugate ? a * c + b * d : a * c - b * d;
  const Term imaginary = conjugate ? b * c - a * d : a * d + b * c;
  return rw.create(ops::Concat{.axis = -1}, real.value(), imaginary.value());
}

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

Replacement inverse(const Node& node, Rewriter& rw) {
  const PartialShape shape = known_shape(node.input(0));
  constexpr std::int64_t kMostRows = 4;
  if (shape.size() < 2 || !shape[shape.size() - 1].is_known() || shape[shape.size() - 1].value() < 1 || shape[shape.size() - 1].value() > kMostRows ||
      !shape[shape.size() - 2].same_value(shape[shape.size() - 1]))
    return node
        .error("MO-ONNX-0448", "matrices of shape {} cannot be inverted: an IR has no such operation, and only up to {} rows are spelled out",
               shape.to_string(), kMostRows)
        .hint("give the shape of the input with --input_shape, or compute the inverse outside of the model");
  if (shape[shape.size() - 1].value() == 1) return rw.create(ops::Divide{}, number_like(rw, node.input(0), 1), node.input(0));
  return SmallInverse(rw, node.input(0), shape[shape.size() - 1].value()).result();
}

}  // namespace

void register_microsoft_matrix(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftFusedMatMul").replace_op(needing(2, fused_matmul)));
  passes.add(front_replacement_op("MicrosoftFusedGemm").run_before({"OnnxGemm"}).replace_op(needing(2, fused_gemm)));
  passes.add(front_replacement_op("MicrosoftGemmFastGelu").replace_op(needing(2, gemm_fast_gelu)));
  passes.add(front_replacement_op("MicrosoftCDist").replace_op(needing(2, distances)));
  passes.add(front_replacement_op("MicrosoftComplexMul").replace_op(needing(2, complex_multiply)));
  passes.add(front_replacement_op("MicrosoftInverse").replace_op(needing(1, inverse)));
}

}  // namespace mo::front::onnx
