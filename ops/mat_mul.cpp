#include "ops/mat_mul.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/mat_mul.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// The shape as a (batched) matrix, transposed as asked for; `vector`: it was 1-D.
struct Operand {
  Dimension rows;
  Dimension columns;
  PartialShape batch;
  bool vector = false;
};

Operand operand_of(const PartialShape& shape, bool transpose, bool left) {
  if (shape.size() == 1)
    return {left ? Dimension(1) : shape[0], left ? shape[0] : Dimension(1), PartialShape(std::vector<Dimension>{}),
            true};
  const std::size_t rank = shape.size();
  Operand operand{shape[rank - 2], shape[rank - 1],
                  PartialShape(std::vector<Dimension>(shape.begin(), shape.end() - 2)), false};
  if (transpose) std::swap(operand.rows, operand.columns);
  return operand;
}

}  // namespace

Expected<void> MatMul::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  const PartialShape& a = ctx.input_shape(0);
  const PartialShape& b = ctx.input_shape(1);
  if ((a.has_rank() && a.size() == 0) || (b.has_rank() && b.size() == 0))
    return ctx.error("MO-OPS-0321", "{} x {}: a scalar is not a matrix", a.to_string(), b.to_string())
        .hint("multiply element-wise instead");
  if (!a.has_rank() || !b.has_rank()) {
    ctx.output(0, type, PartialShape::unknown_rank());
    return {};
  }
  const Operand left = operand_of(a, transpose_a, true);
  const Operand right = operand_of(b, transpose_b, false);
  if (!left.columns.compatible(right.rows))
    return ctx
        .error("MO-OPS-0320", "{}{} x {}{}: the inner dimensions {} and {} differ", a.to_string(),
               transpose_a && !left.vector ? " transposed" : "", b.to_string(),
               transpose_b && !right.vector ? " transposed" : "", left.columns.to_string(), right.rows.to_string())
        .hint("check transpose_a, transpose_b and --input_shape");
  MO_ASSIGN(PartialShape shape, broadcast_shapes(ctx, left.batch, right.batch));
  if (!left.vector) shape.dims().push_back(left.rows);
  if (!right.vector) shape.dims().push_back(right.columns);
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> MatMul::evaluate(EvalContext& ctx) const {
  return reference::mat_mul(ctx.input(0), ctx.input(1), ctx.output(0), transpose_a, transpose_b);
}

void register_mat_mul(OpRegistry& registry) { registry.add<MatMul>(); }

}  // namespace mo::ops
