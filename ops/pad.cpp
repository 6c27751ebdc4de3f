#include "ops/pad.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/take.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

/// No tensor is that large; sums of two such pads and a dimension do not overflow.
constexpr std::int64_t kLargestPad = std::int64_t{1} << 60;

Expected<void> check_pad(const InferContext& ctx, PadMode mode, bool negative, std::int64_t pad,
                         const Dimension& size) {
  const std::int64_t largest = mode == PadMode::reflect                   ? size.max() - 1
                               : mode == PadMode::symmetric               ? size.max()
                               : mode == PadMode::edge && size.max() == 0 ? 0
                                                                          : kLargestPad;
  if (pad > std::max<std::int64_t>(largest, 0) || pad < -kLargestPad || (pad < 0 && !negative))
    return ctx
        .error("MO-OPS-0212", "a pad of {} does not fit a dimension of {} in mode {}", pad, size.to_string(),
               names_of(mode)[static_cast<std::size_t>(mode)])
        .hint("{}", pad < 0 ? "negative pads need op set 12 (Pad.v12)"
                            : "there are not that many elements to repeat; check --input_shape");
  return {};
}

Expected<Dimension> padded(const InferContext& ctx, PadMode mode, bool negative, const Dimension& size,
                           const Dimension& begin, const Dimension& end) {
  Dimension result = size;
  std::int64_t cut = 0;
  for (const Dimension& pad : {begin, end}) {
    if (!pad.is_known()) {
      // A pad that is not known is not negative where pads cannot be; else it may cut everything.
      result = Dimension(negative ? 0 : result.min(), Dimension::kNoLimit);
      continue;
    }
    MO_TRY(check_pad(ctx, mode, negative, pad.value(), size));
    if (pad.value() >= 0)
      result = result + pad.value();
    else
      cut -= pad.value();
  }
  if (cut > result.max())
    return ctx
        .error("MO-OPS-0212", "pads {} and {} cut more than {} elements", begin.to_string(), end.to_string(),
               size.to_string())
        .hint("check --input_shape");
  return result - cut;
}

Expected<void> infer_pad(InferContext& ctx, PadMode mode, bool negative) {
  MO_TRY(ctx.expect_inputs(3, 4));
  MO_TRY(expect_integers(ctx, {1, 2}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  ElementType type = ctx.input_element_type(0);
  if (ctx.has_input(3)) {
    MO_TRY(expect_scalar(ctx, 3));
    MO_ASSIGN(type, common_element_type(ctx, {0, 3}));
  }
  const auto begins = list_elements(ctx, 1);
  const auto ends = list_elements(ctx, 2);
  PartialShape shape = ctx.input_shape(0);
  const std::optional<std::size_t> length = begins ? std::optional(begins->size())
                                            : ends ? std::optional(ends->size())
                                                   : std::nullopt;
  if (!shape.has_rank() && length) shape = PartialShape::of_rank(*length);
  if (shape.has_rank()) {
    if ((begins && begins->size() != shape.size()) || (ends && ends->size() != shape.size()))
      return ctx
          .error("MO-OPS-0209", "{} and {} pads for a shape {}", begins ? begins->size() : shape.size(),
                 ends ? ends->size() : shape.size(), shape.to_string())
          .hint("there is one pad on each side of each dimension");
    for (std::size_t i = 0; i < shape.size(); ++i) {
      MO_ASSIGN(shape[i], padded(ctx, mode, negative, shape[i], begins ? (*begins)[i] : Dimension(),
                                 ends ? (*ends)[i] : Dimension()));
    }
  }
  ctx.output(0, type, std::move(shape));
  return {};
}

/// Which element of a dimension of `size` stands at place `i`, counted from the first one and possibly outside.
std::int64_t source_of(PadMode mode, std::int64_t i, std::int64_t size) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case PadMode::constant: return reference::kFill;
    case PadMode::edge: return i < 0 ? 0 : size - 1;
    case PadMode::reflect: return i < 0 ? -i : 2 * (size - 1) - i;
    case PadMode::symmetric: return i < 0 ? -i - 1 : 2 * size - 1 - i;
  }
  return reference::kFill;
}

template <class T>
Expected<void> evaluate_pad(EvalContext& ctx, const T& op) {
  if (moves_packed_elements(ctx, T::traits.moves_elements)) return evaluate_by_ids(ctx, op);
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> begins, ctx.integers(1));
  std::vector<std::vector<std::int64_t>> tables;
  Tensor& out = ctx.output(0);
  if (out.element_count() == 0) return {};
  for (std::size_t d = 0; d < data.shape().size(); ++d) {
    std::vector<std::int64_t> table(static_cast<std::size_t>(out.shape()[d]));
    for (std::size_t i = 0; i < table.size(); ++i)
      table[i] = source_of(op.pad_mode, static_cast<std::int64_t>(i) - begins[d], data.shape()[d]);
    tables.push_back(std::move(table));
  }
  reference::take(data, tables, ctx.has_input(3) ? ctx.input(3) : Tensor(), out);
  return {};
}

}  // namespace

Expected<void> v1::Pad::infer(InferContext& ctx) const { return infer_pad(ctx, pad_mode, false); }
Expected<void> v12::Pad::infer(InferContext& ctx) const { return infer_pad(ctx, pad_mode, true); }
Expected<void> v12::Pad::evaluate(EvalContext& ctx) const { return evaluate_pad(ctx, *this); }

void register_pad(OpRegistry& registry) {
  registry.add<v1::Pad>();
  registry.add<v12::Pad>();
}

}  // namespace mo::ops
