#include "ops/unique.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/gather.hpp"
#include "ops/reference/unique.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

/// How many there may be: at least one when there is something at all.
Dimension unique_count(const Dimension& of) { return {std::min<std::int64_t>(of.min(), 1), of.max()}; }

Dimension product_of(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  Dimension product = 1;
  for (const Dimension& d : shape) product = product * d;
  return product;
}

}  // namespace

Expected<void> Unique::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1, 2));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType t) { return is_number(t) || is_boolean(t); }, "a number type or boolean"));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(expect_one_element(ctx, 1, "axis"));
  MO_TRY(expect_index_type(ctx, "index_element_type", index_element_type));
  MO_TRY(expect_index_type(ctx, "count_element_type", count_element_type));
  const TensorType& data = ctx.input(0);
  Dimension compared = product_of(data.shape);
  Dimension count = unique_count(compared);
  PartialShape values{count};
  if (ctx.has_input(1)) {
    const auto axis = ctx.integer(1);
    values = data.shape.has_rank() ? PartialShape::of_rank(data.shape.size()) : PartialShape::unknown_rank();
    compared = count = Dimension();
    if (axis && data.shape.has_rank()) {
      MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, *axis, *data.rank()));
      compared = data.shape[static_cast<std::size_t>(place)];
      count = unique_count(compared);
      values = data.shape;
      values[static_cast<std::size_t>(place)] = count;
    }
  }
  ctx.output(0, data.element_type, std::move(values));
  ctx.output(1, index_element_type, {count});
  ctx.output(2, index_element_type, {compared});
  ctx.output(3, count_element_type, {count});
  return {};
}

Expected<void> Unique::evaluate(EvalContext& ctx) const {
  Tensor data = ctx.input(0);
  std::int64_t axis = 0;
  if (ctx.has_input(1)) {
    MO_ASSIGN(axis, only_integer(ctx, 1));
    MO_ASSIGN(axis, checked_axis(ctx, axis, data.rank()));
  } else {
    data = data.reshaped({data.element_count()});
  }
  // The bookkeeping takes as much as output 2, also when the slices are empty: no memory is an error, not an exception.
  MO_TRY(Tensor::allocate(ElementType::i64, {data.shape()[static_cast<std::size_t>(axis)]}));
  const reference::UniqueSlices found = reference::unique_slices(data, axis, sorted);
  Shape shape = data.shape();
  const auto count = static_cast<std::int64_t>(found.first.size());
  shape[static_cast<std::size_t>(axis)] = count;
  MO_ASSIGN(Tensor values, Tensor::allocate(data.element_type(), shape));
  reference::gather(data, found.first, axis, 0, values);
  MO_ASSIGN(Tensor first, from_integers(index_element_type, {count}, found.first));
  MO_ASSIGN(Tensor place,
            from_integers(index_element_type, {static_cast<std::int64_t>(found.place.size())}, found.place));
  MO_ASSIGN(Tensor counts, from_integers(count_element_type, {count}, found.count));
  ctx.set_output(0, std::move(values));
  ctx.set_output(1, std::move(first));
  ctx.set_output(2, std::move(place));
  ctx.set_output(3, std::move(counts));
  return {};
}

void register_unique(OpRegistry& registry) { registry.add<Unique>(); }

}  // namespace mo::ops
