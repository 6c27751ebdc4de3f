#include "ops/sparse_fill_empty_rows.hpp"

#include <algorithm>
#include <set>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/concat.hpp"
#include "ops/reference/gather.hpp"
#include "ops/reference/sparse_fill_empty_rows.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

/// `size` [2] and `places` [M, 2]. Error MO-OPS-0478 for a place outside of the matrix.
template <class Context>
Expected<void> check_places(const Context& ctx, const std::vector<std::int64_t>& size,
                            const std::vector<std::int64_t>& places) {
  for (std::size_t i = 0; i + 1 < places.size(); i += 2)
    if (places[i] < 0 || places[i] >= size[0] || places[i + 1] < 0 || places[i + 1] >= size[1])
      return ctx
          .error("MO-OPS-0478", "place ({}, {}) is outside of a matrix of {} x {}", places[i], places[i + 1], size[0],
                 size[1])
          .hint("check the places and the size of the matrix");
  return {};
}

/// The number of elements when all rows have one; `rows` and `given` may be unknown.
Dimension filled_count(const Dimension& rows, const Dimension& given) {
  if (given == Dimension(0)) return rows;
  const std::int64_t most = (rows + given).max();
  return {std::max(rows.min(), given.min()), most};
}

}  // namespace

Expected<void> SparseFillEmptyRows::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType t) { return is_number(t) || is_boolean(t) || t == ElementType::string; },
      "a number type, boolean or string"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 3}));
  MO_TRY(expect_indices(ctx, {1, 2}));
  MO_ASSIGN(const ElementType index_type, common_element_type(ctx, {1, 2}));
  MO_TRY(ctx.expect_rank(0, 1, 1));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 2, 2));
  MO_TRY(expect_scalar(ctx, 3));
  const PartialShape& values = ctx.input_shape(0);
  const PartialShape& sizes = ctx.input_shape(1);
  const PartialShape& places = ctx.input_shape(2);
  if ((sizes.has_rank() && !sizes[0].compatible(2)) || (places.has_rank() && !places[1].compatible(2)))
    return ctx
        .error("MO-OPS-0478", "size {} and places {}, expected [2] and [?, 2]", sizes.to_string(), places.to_string())
        .hint("the op is defined for matrices only");
  Dimension given = values.has_rank() ? values[0] : Dimension();
  if (places.has_rank()) {
    MO_ASSIGN(given, merge_dimensions(ctx, given, places[0], "the number of values and of places"));
  }
  MO_ASSIGN(const PartialShape matrix, described_shape(ctx, 1));
  const Dimension rows = matrix.has_rank() && matrix.size() > 0 ? matrix[0] : Dimension();
  Dimension count = filled_count(rows, given);
  const auto known_places = ctx.integers(2);
  if (const auto size = ctx.integers(1); size && known_places) {
    MO_TRY(check_places(ctx, *size, *known_places));
    std::set<std::int64_t> used;
    for (std::size_t i = 0; i < known_places->size(); i += 2) used.insert((*known_places)[i]);
    count = Dimension((*size)[0]) + Dimension(static_cast<std::int64_t>(known_places->size() / 2 - used.size()));
  }
  ctx.output(0, index_type, {count, 2});
  ctx.output(1, type, {count});
  ctx.output(2, ElementType::boolean, {rows});
  return {};
}

Expected<void> SparseFillEmptyRows::evaluate(EvalContext& ctx) const {
  const Tensor& values = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> size, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> given, ctx.integers(2));
  MO_TRY(check_places(ctx, size, given));
  MO_ASSIGN(Tensor empty, Tensor::allocate(ElementType::boolean, {size[0]}));  // before anything else of that size
  const reference::FilledRows filled = reference::filled_rows(size[0], given);
  const auto count = static_cast<std::int64_t>(filled.sources.size());
  std::copy(filled.is_empty.begin(), filled.is_empty.end(), empty.mutable_values<bool>().begin());
  MO_ASSIGN(Tensor places, from_integers(ctx.input(2).element_type(), {count, 2}, filled.places));
  Tensor moved;
  if (values.element_type() == ElementType::string) {
    MO_ASSIGN(std::vector<std::string> all, to_strings(values));
    MO_ASSIGN(const std::vector<std::string> filler, to_strings(ctx.input(3)));
    all.push_back(filler.front());
    std::vector<std::string> taken;
    for (const std::int64_t source : filled.sources) taken.push_back(all[static_cast<std::size_t>(source)]);
    moved = from_strings({count}, taken);
  } else {
    const Tensor filler = ctx.input(3).reshaped({1});
    MO_ASSIGN(Tensor all, Tensor::allocate(values.element_type(), {values.shape()[0] + 1}));
    reference::concat({&values, &filler}, 0, all);
    MO_ASSIGN(moved, Tensor::allocate(values.element_type(), {count}));
    reference::gather(all, filled.sources, 0, 0, moved);
  }
  ctx.set_output(0, std::move(places));
  ctx.set_output(1, std::move(moved));
  ctx.set_output(2, std::move(empty));
  return {};
}

void register_sparse_fill_empty_rows(OpRegistry& registry) { registry.add<SparseFillEmptyRows>(); }

}  // namespace mo::ops
