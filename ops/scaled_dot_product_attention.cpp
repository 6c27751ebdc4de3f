#include "ops/scaled_dot_product_attention.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/attention.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::size_t kMask = 3;
constexpr std::size_t kScale = 4;
constexpr std::size_t kSink = 5;

PartialShape batch_of(const PartialShape& shape) {
  return PartialShape(std::vector<Dimension>(shape.begin(), shape.end() - 2));
}

/// `back` = 1: the last dimension, 2: the one before it.
const Dimension& from_the_back(const PartialShape& shape, std::size_t back) { return shape[shape.size() - back]; }

Expected<void> check_matrices(const InferContext& ctx) {
  const PartialShape& query = ctx.input_shape(0);
  const PartialShape& key = ctx.input_shape(1);
  const PartialShape& value = ctx.input_shape(2);
  for (const PartialShape* shape : {&query, &key, &value})
    if (shape->has_rank() && shape->size() < 3)
      return ctx
          .error("MO-OPS-0486", "query, key and value are {}, {} and {}, expected three dimensions or more",
                 query.to_string(), key.to_string(), value.to_string())
          .hint("give them a dimension of batches or heads");
  const bool lengths_fit =
      !query.has_rank() || !key.has_rank() || from_the_back(query, 1).compatible(from_the_back(key, 1));
  const bool counts_fit =
      !key.has_rank() || !value.has_rank() || from_the_back(key, 2).compatible(from_the_back(value, 2));
  if (lengths_fit && counts_fit) return {};
  return ctx
      .error("MO-OPS-0487",
             "query, key and value are {}, {} and {}: expected [..., L, E], [..., S, E] and [..., S, Ev]",
             query.to_string(), key.to_string(), value.to_string())
      .hint("check the order of the inputs, and --input_shape");
}

/// Broadcasts to [L, S] and the batch. A dimension of 1 is stretched; no other one is.
bool fits(const PartialShape& mask, const PartialShape& query, const PartialShape& key) {
  if (!mask.has_rank() || mask.size() == 0) return true;
  if (mask.size() == 1) return false;
  const auto fits_one = [&](std::size_t back, const PartialShape& of, std::size_t of_back) {
    const Dimension& size = from_the_back(mask, back);
    return size.compatible(Dimension(1)) || !of.has_rank() || size.compatible(from_the_back(of, of_back));
  };
  return fits_one(1, key, 2) && fits_one(2, query, 2);
}

Expected<void> check_scale_and_sink(const InferContext& ctx) {
  if (ctx.has_input(kScale)) {
    const PartialShape& scale = ctx.input_shape(kScale);
    const bool is_number =
        !scale.has_rank() || scale.size() == 0 || (scale.size() == 1 && scale[0].compatible(Dimension(1)));
    if (!is_number)
      return ctx.error("MO-OPS-0488", "the scale is {}, expected one number", scale.to_string())
          .hint("give a scalar, or leave the input out for 1 / sqrt(E)");
  }
  if (!ctx.has_input(kSink)) return {};
  const PartialShape& sink = ctx.input_shape(kSink);
  const auto rank = ctx.input_shape(0).rank();
  if (!sink.has_rank() || !rank) return {};
  if (static_cast<std::int64_t>(sink.size()) == *rank && from_the_back(sink, 1).compatible(Dimension(1))) return {};
  return ctx
      .error("MO-OPS-0488", "the sink is {}, expected {} dimensions, the last of which is 1", sink.to_string(), *rank)
      .hint("give a score for each head as [1, heads, 1, 1]");
}

}  // namespace

Expected<void> ScaledDotProductAttention::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3, 6));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_ASSIGN(ElementType type, common_element_type(ctx, {0, 1, 2}));
  if (ctx.has_input(kMask) && ctx.input(kMask).element_type != ElementType::boolean)
    MO_TRY(common_element_type(ctx, {0, kMask}));
  for (const std::size_t i : {kScale, kSink})
    if (ctx.has_input(i)) MO_TRY(common_element_type(ctx, {0, i}));
  MO_TRY(check_matrices(ctx));
  MO_TRY(check_scale_and_sink(ctx));
  const PartialShape& query = ctx.input_shape(0);
  const PartialShape& key = ctx.input_shape(1);
  const PartialShape& value = ctx.input_shape(2);
  const bool is_masked = ctx.has_input(kMask) && !causal;
  if (is_masked && !fits(ctx.input_shape(kMask), query, key))
    return ctx
        .error("MO-OPS-0489", "the mask is {}, expected a scalar or [..., L or 1, S or 1] for queries {} and keys {}",
               ctx.input_shape(kMask).to_string(), query.to_string(), key.to_string())
        .hint("give the mask two dimensions or more that broadcast to the scores");
  if (!query.has_rank() || !key.has_rank() || !value.has_rank() || (is_masked && !ctx.input_shape(kMask).has_rank())) {
    ctx.output(0, type, PartialShape::unknown_rank());
    return {};
  }
  MO_ASSIGN(PartialShape shape, broadcast_shapes(ctx, batch_of(query), batch_of(key)));
  MO_ASSIGN(shape, broadcast_shapes(ctx, shape, batch_of(value)));
  if (is_masked && ctx.input_shape(kMask).size() > 2) {
    MO_ASSIGN(shape, broadcast_shapes(ctx, shape, batch_of(ctx.input_shape(kMask))));
  }
  shape.dims().push_back(from_the_back(query, 2));
  shape.dims().push_back(from_the_back(value, 1));
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> ScaledDotProductAttention::evaluate(EvalContext& ctx) const {
  reference::Attention attention{ctx.input(0), ctx.input(1), ctx.input(2)};
  if (ctx.has_input(kMask)) attention.mask = &ctx.input(kMask);
  if (ctx.has_input(kSink)) attention.sink = &ctx.input(kSink);
  if (ctx.has_input(kScale)) {
    MO_ASSIGN(const std::vector<double> scale, ctx.reals(kScale));
    attention.scale = scale.front();
  }
  attention.causal = causal;
  return reference::attention(attention, ctx.output(0));
}

void register_scaled_dot_product_attention(OpRegistry& registry) { registry.add<ScaledDotProductAttention>(); }

}  // namespace mo::ops
