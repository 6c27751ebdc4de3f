#include "ops/support/index_inputs.hpp"

#include "core/tensor/convert.hpp"
#include "ops/support/element_kinds.hpp"

namespace mo::ops {

Expected<void> expect_integers(const InferContext& ctx, std::initializer_list<std::size_t> indices) {
  for (const std::size_t i : indices)
    if (ctx.has_input(i)) MO_TRY(expect_element_type(ctx, i, is_whole_number, "an integer type"));
  return {};
}

Expected<void> expect_indices(const InferContext& ctx, std::initializer_list<std::size_t> indices) {
  const auto is_index = [](ElementType type) { return type == ElementType::i32 || type == ElementType::i64; };
  for (const std::size_t i : indices)
    if (ctx.has_input(i)) MO_TRY(expect_element_type(ctx, i, is_index, "i32 or i64"));
  return {};
}

Expected<void> expect_scalar(const InferContext& ctx, std::size_t i) {
  const PartialShape& shape = ctx.input_shape(i);
  if (!shape.has_rank() || shape.size() == 0) return {};
  return ctx.error("MO-OPS-0226", "input {} has shape {}, a scalar is expected", i, shape.to_string())
      .hint("reshape it to a rank of 0");
}

Expected<void> expect_index_type(const InferContext& ctx, std::string_view attribute, ElementType type) {
  if (type == ElementType::i32 || type == ElementType::i64) return {};
  return ctx.error("MO-OPS-0225", "{} is {}, indices are i32 or i64", attribute, to_string(type))
      .hint("set {} to i32 or i64", attribute);
}

std::optional<std::size_t> list_length(const InferContext& ctx, std::size_t i) {
  const PartialShape& shape = ctx.input_shape(i);
  if (!shape.has_rank() || shape.size() > 1) return std::nullopt;
  if (shape.size() == 0) return 1;
  if (!shape[0].is_known()) return std::nullopt;
  return static_cast<std::size_t>(shape[0].value());
}

std::optional<std::vector<Dimension>> list_elements(const InferContext& ctx, std::size_t i) {
  if (const auto numbers = ctx.integers(i)) return std::vector<Dimension>(numbers->begin(), numbers->end());
  if (auto value = ctx.partial(i)) return std::move(value->elements);
  if (const auto length = list_length(ctx, i); length && *length <= static_cast<std::size_t>(kMaxPartialElements))
    return std::vector<Dimension>(*length);
  return std::nullopt;
}

Dimension scalar_element(const InferContext& ctx, std::size_t i) {
  const auto value = ctx.partial(i);
  return value && value->elements.size() == 1 ? value->elements.front() : Dimension();
}

Expected<PartialShape> described_shape(const InferContext& ctx, std::size_t i) {
  MO_TRY(expect_integers(ctx, {i}));
  MO_TRY(ctx.expect_rank(i, 1, 1));
  auto dims = list_elements(ctx, i);
  if (!dims) return PartialShape::unknown_rank();
  for (const Dimension& d : *dims)
    if (d.is_known() && d.value() < 0)
      return ctx.error("MO-OPS-0005", "dimension {} of input {} is negative", d.value(), i)
          .hint("correct the shape computation in the model");
  return PartialShape(*std::move(dims));
}

Expected<Dimension> described_size(const InferContext& ctx, std::size_t i) {
  MO_TRY(expect_integers(ctx, {i}));
  MO_TRY(expect_scalar(ctx, i));
  const Dimension size = scalar_element(ctx, i);
  if (size.is_known() && size.value() < 0)
    return ctx.error("MO-OPS-0005", "input {} is {}, expected a non-negative size", i, size.value())
        .hint("correct the computation of this value, and export the model again");
  return size;
}

Expected<Dimension> merge_dimensions(const InferContext& ctx, const Dimension& a, const Dimension& b,
                                     std::string_view what) {
  if (const auto merged = a.merge(b)) return *merged;
  return ctx.error("MO-OPS-0204", "{} do not fit: {} and {}", what, a.to_string(), b.to_string())
      .hint("check the shapes of the inputs, or override them with --input_shape");
}

Expected<PartialShape> merge_shapes(const InferContext& ctx, const PartialShape& a, const PartialShape& b,
                                    std::string_view what) {
  if (auto merged = a.merge(b)) return *std::move(merged);
  return ctx.error("MO-OPS-0204", "{} do not fit: {} and {}", what, a.to_string(), b.to_string())
      .hint("check the shapes of the inputs, or override them with --input_shape");
}

Expected<std::int64_t> checked_index(const EvalContext& ctx, std::int64_t index, std::int64_t size, bool from_back) {
  if (const auto normal = mo::normalize_axis(index, size); normal && (from_back || index >= 0)) return *normal;
  return ctx.error("MO-OPS-0203", "index {} is outside [{}, {})", index, from_back ? -size : 0, size)
      .hint("correct the indices that the model computes or contains");
}

Expected<std::vector<std::int64_t>> checked_indices(const EvalContext& ctx, std::size_t i, std::int64_t size,
                                                    bool from_back) {
  MO_ASSIGN(std::vector<std::int64_t> indices, ctx.integers(i));
  for (std::int64_t& index : indices) {
    if (index >= 0 && index < size) continue;
    MO_ASSIGN(index, checked_index(ctx, index, size, from_back));
  }
  return indices;
}

Expected<std::int64_t> checked_axis(const EvalContext& ctx, std::int64_t axis, std::int64_t rank) {
  if (const auto normal = mo::normalize_axis(axis, rank)) return *normal;
  return ctx.error("MO-OPS-0012", "axis {} is outside [{}, {})", axis, -rank, rank)
      .hint("correct the axis that the model computes or contains");
}

Expected<std::int64_t> only_integer(const EvalContext& ctx, std::size_t i) {
  if (ctx.input(i).element_count() != 1)
    return ctx.error("MO-OPS-0226", "input {} has {} elements, 1 is expected", i, ctx.input(i).element_count())
        .hint("give a scalar");
  MO_ASSIGN(const std::vector<std::int64_t> values, ctx.integers(i));
  return values.front();
}

}  // namespace mo::ops
