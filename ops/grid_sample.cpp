#include "ops/grid_sample.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> GridSample::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(ctx.expect_rank(1, 4, 4));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType t) { return is_real(t) || (is_integral(t) && bit_width(t) >= 8); },
      "a number of at least 8 bits"));
  MO_TRY(expect_element_type(ctx, 1, is_real, "a real type"));
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& grid = ctx.input_shape(1);
  PartialShape shape = PartialShape::of_rank(4);
  if (data.has_rank()) {
    shape[0] = data[0];
    shape[1] = data[1];
  }
  if (grid.has_rank()) {
    const auto batch = shape[0].merge(grid[0]);
    if (!batch || !grid[3].compatible(2))
      return ctx
          .error("MO-OPS-0470", "a grid of shape {} does not fit data of shape {}", grid.to_string(), data.to_string())
          .hint("the grid is [batch, height, width, 2] with the batch of the data");
    shape[0] = *batch;
    shape[2] = grid[1];
    shape[3] = grid[2];
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> GridSample::evaluate(EvalContext& ctx) const {
  const Tensor& given = ctx.input(0);
  if (ctx.output(0).element_count() == 0) return {};
  if (given.element_count() == 0)
    return ctx.error("MO-OPS-0470", "data of shape {} has nothing to sample", to_string(given.shape()))
        .hint("check --input_shape");
  // Integers of up to 53 bits stay exact in double.
  const bool wide = given.element_type() == ElementType::f64 ||
                    (is_integral(given.element_type()) && bit_width(given.element_type()) > 16);
  const ElementType computed = wide ? ElementType::f64 : ElementType::f32;
  MO_ASSIGN(const Tensor data, convert(given, computed));
  MO_ASSIGN(const Tensor grid, convert(ctx.input(1), computed));
  MO_ASSIGN(Tensor sampled, Tensor::allocate(computed, ctx.output(0).shape()));
  reference::grid_sample(data, grid, sampled, mode, padding_mode, align_corners);
  MO_ASSIGN(sampled, convert(sampled, given.element_type()));
  ctx.set_output(0, std::move(sampled));
  return {};
}

void register_grid_sample(OpRegistry& registry) { registry.add<GridSample>(); }

}  // namespace mo::ops
