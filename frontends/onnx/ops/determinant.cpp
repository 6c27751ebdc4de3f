#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/inverse.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/term.hpp"
#include "ops/loop.hpp"

namespace mo::onnx {
namespace {

/// Up to this size, minors are fewer nodes than a loop.
constexpr std::int64_t kMostRowsOfMinors = 4;

/// Determinant of [..., n, n] by minors: those of the first r rows and any r columns follow from those of r - 1 rows.
Value by_minors(Rewriter& rw, const Value& x, std::int64_t n) {
  const auto rows = static_cast<unsigned>(n);
  std::vector<std::optional<Term>> minors(std::size_t{1} << rows);  // by the set of columns
  for (unsigned row = 0; row < rows; ++row) {
    const Value line = rw.create(ops::Gather{}, x, rw.scalar<std::int64_t>(row), rw.scalar<std::int64_t>(-2));
    std::vector<Term> elements;
    for (unsigned column = 0; column < rows; ++column)
      elements.push_back(
          term(rw, rw.create(ops::Gather{}, line, rw.scalar<std::int64_t>(column), rw.scalar<std::int64_t>(-1))));
    for (unsigned set = 1; set < minors.size(); ++set) {
      if (static_cast<unsigned>(__builtin_popcount(set)) != row + 1) continue;
      std::optional<Term> sum;
      // Expanded along the last row: signs alternate, and the last column of the set counts as it is.
      bool positive = true;
      for (unsigned column = rows; column-- > 0;) {
        if ((set >> column & 1U) == 0) continue;
        const std::optional<Term>& rest = minors[set & ~(1U << column)];
        const Term product = rest ? *rest * elements[column] : elements[column];
        sum = !sum ? product : positive ? *sum + product : *sum - product;
        positive = !positive;
      }
      minors[set] = sum;
    }
  }
  return *minors.back();
}

/// One step of the elimination with the largest pivot, an exchange that would have moved a row over k open ones counts
/// as a factor (-1)^k.
Body elimination_step(ElementType type) {
  auto graph = std::make_unique<Graph>();
  Rewriter rw(*graph);
  const Term step = body_parameter(rw, "step", ElementType::i64, 0);
  const Term matrix = body_parameter(rw, "matrix", type, 3);
  const Term open = body_parameter(rw, "open", type, 2);
  const Term product = body_parameter(rw, "product", type, 1);
  const auto as_column = [](const Term& x) { return x.unsqueezed({2}); };

  const Pivot pivot = next_pivot(matrix, open, step);
  const Term places = count_up(rw, as_scalar(rw, length_along(rw, matrix, 2)), ElementType::i64);
  const Term before(rw, as_type_of(rw, less(places, pivot.best).value(), matrix.value()), type);
  const Term above = reduced<ops::ReduceKind::sum>(open * before, {1}, false);
  const Term sign = 1 - above.apply(ops::FloorMod{}, above.number(2)) * 2;
  const Term left = open - pivot.chosen;
  // Where the pivot is 0 the whole column is, and so is the determinant: nothing is left to subtract.
  const Term divisor = choose(equal(pivot.value, 0), pivot.value.number(1), pivot.value);
  const Term factors = pivot.column / divisor.unsqueezed({1}) * left;
  const Term next = matrix - as_column(factors) * pivot.row.unsqueezed({1});

  for (const Value& result : {rw.scalar(true), next.value(), left.value(), (product * pivot.value * sign).value()})
    graph->create_result(result);
  return Body(std::move(graph));
}

/// Determinant of [..., n, n] for any n: n steps of an elimination.
Value by_elimination(Rewriter& rw, const Value& x) {
  const ElementType type = x.type().element_type;
  const Value shape = shape_of(rw, x);
  const Value size = length_along(rw, x, -1);
  const Value batch = slice_along(rw, shape, 0, 0, -2);
  const Value matrices = rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1}), size, size}));
  const Value count = length_along(rw, matrices, 0);
  const Value one = number_like(rw, x, 1);
  ops::Loop loop;
  loop.body = elimination_step(type);
  loop.input_map = {whole_input(-1, 0), whole_input(2, 1), whole_input(3, 2), whole_input(4, 3)};
  loop.output_map = {last_output(-1, 0), last_output(0, 3)};
  loop.back_edges = {{.result = 1, .parameter = 1}, {.result = 2, .parameter = 2}, {.result = 3, .parameter = 3}};
  const Node made = rw.create_node(std::move(loop),
                                   {as_scalar(rw, size), rw.scalar(true), matrices,
                                    repeat(rw, one, join(rw, {count, size})), repeat(rw, one, count)},
                                   1);
  return rw.create(ops::Reshape{}, made.output(), batch);
}

/// ONNX Det-11: x of [..., n, n] -> [...]
Replacement determinant(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const PartialShape& shape = x.type().shape;
  if (!shape.has_rank()) return by_elimination(rw, x);
  const auto rank = static_cast<std::size_t>(*shape.rank());
  const auto size = [&](std::size_t from_back) { return shape[rank - from_back]; };
  if (rank < 2 || (size(1).is_known() && size(2).is_known() && size(1).value() != size(2).value()))
    return node.error("MO-ONNX-0403", "a determinant of {}, which holds no square matrices", shape.to_string())
        .hint("the last two dimensions are equal; check the model, or the shape given with --input_shape");
  const Dimension& known = size(1).is_known() ? size(1) : size(2);
  if (known.is_known() && known.value() >= 1 && known.value() <= kMostRowsOfMinors)
    return by_minors(rw, x, known.value());
  return by_elimination(rw, x);
}

}  // namespace

void register_determinant(OperatorTable& table) { table.translate("Det", since(11), determinant); }

}  // namespace mo::onnx
