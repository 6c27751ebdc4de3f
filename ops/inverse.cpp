#include "ops/inverse.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/inverse.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> Inverse::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_TRY(ctx.expect_rank(0, 2, std::numeric_limits<std::int64_t>::max()));
  PartialShape shape = ctx.input_shape(0);
  if (shape.has_rank()) {
    Dimension& rows = shape[shape.size() - 2];
    Dimension& columns = shape[shape.size() - 1];
    if (!rows.compatible(columns))
      return ctx
          .error("MO-OPS-0475", "matrices of {} rows and {} columns have no inverse", rows.to_string(),
                 columns.to_string())
          .hint("the last two dimensions have to be equal");
    (rows.is_known() ? columns : rows) = rows.is_known() ? rows : columns;
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> Inverse::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const Tensor matrices, convert(ctx.input(0), ElementType::f64));
  MO_ASSIGN(Tensor inverses, Tensor::allocate(ElementType::f64, matrices.shape()));
  reference::invert(matrices, inverses, adjoint);
  MO_ASSIGN(inverses, convert(inverses, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(inverses));
  return {};
}

void register_inverse(OpRegistry& registry) { registry.add<Inverse>(); }

}  // namespace mo::ops
