#include "ops/eye.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/visit.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

/// A number of rows or columns, given as a scalar or a list of one.
Expected<Dimension> size_of_matrix(const InferContext& ctx, std::size_t i, std::string_view name) {
  MO_TRY(expect_integers(ctx, {i}));
  MO_TRY(expect_one_element(ctx, i, name));
  const Dimension size = scalar_element(ctx, i);
  if (size.is_known() && size.value() < 0)
    return ctx.error("MO-OPS-0005", "{} is {}, expected a non-negative size", name, size.value())
        .hint("correct the computation of this value, and export the model again");
  return size;
}

}  // namespace

Expected<void> Eye::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3, 4));
  if (!is_number(output_type) && output_type != ElementType::boolean)
    return ctx.error("MO-OPS-0006", "output_type is {}, a number type or boolean is expected", to_string(output_type))
        .hint("set output_type");
  MO_TRY(expect_integers(ctx, {2}));
  MO_TRY(expect_one_element(ctx, 2, "diagonal_index"));
  MO_ASSIGN(const Dimension rows, size_of_matrix(ctx, 0, "num_rows"));
  MO_ASSIGN(const Dimension columns, size_of_matrix(ctx, 1, "num_columns"));
  PartialShape shape(std::vector<Dimension>{});
  if (ctx.has_input(3)) { MO_ASSIGN(shape, described_shape(ctx, 3)); }
  if (shape.has_rank()) {
    shape.dims().push_back(rows);
    shape.dims().push_back(columns);
  }
  ctx.output(0, output_type, std::move(shape));
  return {};
}

Expected<void> Eye::evaluate(EvalContext& ctx) const {
  Tensor& out = ctx.output(0);
  if (out.element_count() == 0) return {};
  MO_ASSIGN(const std::int64_t diagonal, only_integer(ctx, 2));
  const std::size_t rank = out.shape().size();
  const std::int64_t rows = out.shape()[rank - 2];
  const std::int64_t columns = out.shape()[rank - 1];
  if (diagonal >= columns || diagonal <= -rows) return {};  // outside of the matrix: zeros
  visit_type(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto to = out.mutable_values<T>();
    for (std::int64_t matrix = 0; matrix < out.element_count(); matrix += rows * columns)
      for (std::int64_t row = 0; row < rows; ++row)
        if (const std::int64_t column = row + diagonal; column >= 0 && column < columns)
          to[static_cast<std::size_t>(matrix + row * columns + column)] = static_cast<T>(1);
  });
  return {};
}

void register_eye(OpRegistry& registry) { registry.add<Eye>(); }

}  // namespace mo::ops
