#include "ops/split.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/concat.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

/// What splitting along an unknown axis leaves: no dimension gets longer.
PartialShape some_part(const PartialShape& shape) {
  PartialShape part = shape;
  if (part.has_rank())
    for (Dimension& d : part.dims()) d = Dimension(0, d.max());
  return part;
}

/// The axis of a known rank, when its value is known.
Expected<std::optional<std::int64_t>> known_split_axis(const InferContext& ctx) {
  const auto axis = ctx.integer(1);
  if (!axis || !ctx.input(0).rank()) return std::optional<std::int64_t>();
  MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, *axis, *ctx.input(0).rank()));
  return std::optional(place);
}

Expected<void> evaluate_split(EvalContext& ctx, const std::vector<std::int64_t>& lengths) {
  MO_ASSIGN(const std::int64_t axis, only_integer(ctx, 1));
  MO_ASSIGN(const std::int64_t place, checked_axis(ctx, axis, ctx.input(0).rank()));
  std::vector<Tensor*> parts;
  for (std::size_t i = 0; i < lengths.size(); ++i) parts.push_back(i < ctx.output_count() ? &ctx.output(i) : nullptr);
  reference::split(ctx.input(0), place, lengths, parts);
  return {};
}

Diagnostic wrong_output_count(const InferContext& ctx, std::size_t parts) {
  return ctx.error("MO-OPS-0222", "{} outputs, but {} parts", ctx.output_count(), parts)
      .hint("check the node in the model");
}

/// Lengths with -1 replaced by what is left of `size`. Known lengths have been checked not to be below -1.
Expected<std::vector<Dimension>> complete_lengths(const InferContext& ctx, const Dimension& size,
                                                  std::vector<Dimension> lengths) {
  std::optional<std::size_t> rest;
  Dimension sum = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool known = lengths[i].is_known();
    if (known && (lengths[i].value() < -1 || (lengths[i].value() == -1 && rest)))
      return ctx.error("MO-OPS-0207", "length {} at index {} cannot be", lengths[i].value(), i)
          .hint("lengths are not negative, and at most one is -1: what is left");
    if (known && lengths[i].value() == -1)
      rest = i;
    else
      sum = sum + lengths[i];
  }
  const bool fits = rest ? sum.min() <= size.max() : sum.compatible(size);
  if (!fits)
    return ctx
        .error("MO-OPS-0207", "the parts are {} long together, the dimension {}", sum.to_string(), size.to_string())
        .hint("check the lengths, or override the shape with --input_shape");
  if (rest) lengths[*rest] = size - sum;
  return lengths;
}

}  // namespace

Expected<void> Split::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(expect_scalar(ctx, 1));
  if (num_splits < 1)
    return ctx.error("MO-OPS-0207", "num_splits is {}", num_splits).hint("there must be at least one part");
  if (static_cast<std::int64_t>(ctx.output_count()) > num_splits)
    return wrong_output_count(ctx, static_cast<std::size_t>(num_splits));
  const TensorType& data = ctx.input(0);
  MO_ASSIGN(const std::optional<std::int64_t> axis, known_split_axis(ctx));
  PartialShape part = axis ? data.shape : some_part(data.shape);
  if (axis) {
    Dimension& d = part[static_cast<std::size_t>(*axis)];
    if (d.is_known() && d.value() % num_splits != 0)
      return ctx
          .error("MO-OPS-0207", "dimension {} of {} is not a multiple of {}", *axis, data.shape.to_string(), num_splits)
          .hint("check num_splits, or override the shape with --input_shape");
    d = d.floor_div(num_splits);
  }
  for (std::size_t i = 0; i < ctx.output_count(); ++i) ctx.output(i, data.element_type, part);
  return {};
}

Expected<void> Split::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  MO_ASSIGN(const std::int64_t axis, only_integer(ctx, 1));
  MO_ASSIGN(const std::int64_t place, checked_axis(ctx, axis, ctx.input(0).rank()));
  const std::int64_t length = ctx.input(0).shape()[static_cast<std::size_t>(place)] / num_splits;
  return evaluate_split(ctx, std::vector<std::int64_t>(ctx.output_count(), length));
}

Expected<void> VariadicSplit::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_integers(ctx, {1, 2}));
  MO_TRY(expect_one_element(ctx, 1, "axis"));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  const TensorType& data = ctx.input(0);
  auto lengths = list_elements(ctx, 2);
  if (lengths && ctx.output_count() > lengths->size()) return wrong_output_count(ctx, lengths->size());
  MO_ASSIGN(const std::optional<std::int64_t> axis, known_split_axis(ctx));
  if (lengths) {
    const Dimension size = axis ? data.shape[static_cast<std::size_t>(*axis)] : Dimension();
    MO_ASSIGN(lengths, complete_lengths(ctx, size, *std::move(lengths)));
  }
  for (std::size_t i = 0; i < ctx.output_count(); ++i) {
    PartialShape part = axis ? data.shape : some_part(data.shape);
    if (axis) {
      Dimension& d = part[static_cast<std::size_t>(*axis)];
      d = lengths ? (*lengths)[i] : Dimension(0, d.max());
    }
    ctx.output(i, data.element_type, std::move(part));
  }
  return {};
}

Expected<void> VariadicSplit::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  MO_ASSIGN(const std::int64_t axis, only_integer(ctx, 1));
  MO_ASSIGN(const std::int64_t place, checked_axis(ctx, axis, ctx.input(0).rank()));
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < ctx.output_count(); ++i)
    lengths.push_back(ctx.output(i).shape()[static_cast<std::size_t>(place)]);
  return evaluate_split(ctx, lengths);
}

void register_split(OpRegistry& registry) {
  registry.add<Split>();
  registry.add<VariadicSplit>();
}

}  // namespace mo::ops
