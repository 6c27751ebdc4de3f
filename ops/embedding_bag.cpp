#include "ops/embedding_bag.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/embedding_bag.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

/// What all forms share: element types, the table's rows, the weights. `bags` is the first dimension of the result.
Expected<void> infer_bags(InferContext& ctx, const Dimension& bags, std::size_t weights, BagReduction reduction) {
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(ctx.expect_rank(0, 1, std::numeric_limits<std::int64_t>::max()));
  MO_TRY(expect_indices(ctx, {1}));
  ElementType type = ctx.input_element_type(0);
  if (ctx.has_input(weights)) {
    MO_ASSIGN(type, common_element_type(ctx, {0, weights}));
    MO_TRY(merge_shapes(ctx, ctx.input_shape(1), ctx.input_shape(weights), "indices and weights"));
    if (reduction == BagReduction::mean)
      return ctx.error("MO-OPS-0219", "weights cannot be combined with reduction mean")
          .hint("use reduction sum, or leave the weights out");
  }
  PartialShape shape = ctx.input_shape(0);
  if (shape.has_rank()) shape[0] = bags;
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> infer_offsets(InferContext& ctx, BagReduction reduction) {
  MO_TRY(ctx.expect_inputs(3, 5));
  MO_TRY(expect_indices(ctx, {2, 3}));
  MO_TRY(common_element_type(
      ctx, ctx.has_input(3) ? std::initializer_list<std::size_t>{1, 2, 3} : std::initializer_list<std::size_t>{1, 2}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  if (ctx.has_input(3)) MO_TRY(expect_scalar(ctx, 3));
  return infer_bags(ctx, ctx.input_shape(2).has_rank() ? ctx.input_shape(2)[0] : Dimension(), 4, reduction);
}

Expected<void> infer_packed(InferContext& ctx, BagReduction reduction) {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  return infer_bags(ctx, ctx.input_shape(1).has_rank() ? ctx.input_shape(1)[0] : Dimension(), 2, reduction);
}

/// The row that an empty bag takes; -1: zeros.
Expected<std::int64_t> default_row(const EvalContext& ctx, std::size_t i) {
  if (!ctx.has_input(i)) return -1;
  MO_ASSIGN(const std::int64_t row, only_integer(ctx, i));
  return row == -1 ? Expected<std::int64_t>(-1) : checked_index(ctx, row, ctx.input(0).shape()[0], false);
}

/// `begins`: where each bag begins in the indices, and where the last one ends.
Expected<void> evaluate_bags(EvalContext& ctx, const std::vector<std::int64_t>& begins, std::int64_t default_index,
                             std::size_t weights, BagReduction reduction) {
  const Tensor& table = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> indices, checked_indices(ctx, 1, table.shape()[0], false));
  reference::embedding_bags(table, indices, begins, default_index,
                            ctx.has_input(weights) ? ctx.input(weights) : Tensor(), reduction == BagReduction::mean,
                            ctx.output(0));
  return {};
}

Diagnostic wrong_bags(const EvalContext& ctx, std::string_view what, std::int64_t value) {
  return ctx.error("MO-OPS-0218", "{} {} is out of order or outside", what, value)
      .hint("bags follow each other and lie inside of the indices");
}

Expected<void> evaluate_offsets(EvalContext& ctx, BagReduction reduction) {
  MO_ASSIGN(std::vector<std::int64_t> begins, ctx.integers(2));
  const std::int64_t count = ctx.input(1).element_count();
  std::int64_t previous = 0;
  for (const std::int64_t begin : begins) {
    if (begin < previous || begin > count) return wrong_bags(ctx, "offset", begin);
    previous = begin;
  }
  begins.push_back(count);
  MO_ASSIGN(const std::int64_t row, default_row(ctx, 3));
  return evaluate_bags(ctx, begins, row, 4, reduction);
}

Expected<void> evaluate_packed(EvalContext& ctx, BagReduction reduction) {
  if (ctx.output(0).element_count() == 0) return {};
  const Shape& shape = ctx.input(1).shape();
  std::vector<std::int64_t> begins;
  for (std::int64_t bag = 0; bag <= shape[0]; ++bag) begins.push_back(bag * shape[1]);
  return evaluate_bags(ctx, begins, -1, 2, reduction);
}

}  // namespace

Expected<void> EmbeddingBagOffsetsSum::infer(InferContext& ctx) const { return infer_offsets(ctx, BagReduction::sum); }
Expected<void> EmbeddingBagOffsetsSum::evaluate(EvalContext& ctx) const {
  return evaluate_offsets(ctx, BagReduction::sum);
}

Expected<void> EmbeddingBagOffsets::infer(InferContext& ctx) const { return infer_offsets(ctx, reduction); }
Expected<void> EmbeddingBagOffsets::evaluate(EvalContext& ctx) const { return evaluate_offsets(ctx, reduction); }

Expected<void> EmbeddingBagPackedSum::infer(InferContext& ctx) const { return infer_packed(ctx, BagReduction::sum); }
Expected<void> EmbeddingBagPackedSum::evaluate(EvalContext& ctx) const {
  return evaluate_packed(ctx, BagReduction::sum);
}

Expected<void> EmbeddingBagPacked::infer(InferContext& ctx) const { return infer_packed(ctx, reduction); }
Expected<void> EmbeddingBagPacked::evaluate(EvalContext& ctx) const { return evaluate_packed(ctx, reduction); }

Expected<void> EmbeddingSegmentsSum::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4, 6));
  MO_TRY(expect_indices(ctx, {2, 3, 4}));
  MO_TRY(common_element_type(ctx, {1, 2, 3}));
  if (ctx.has_input(4)) MO_TRY(common_element_type(ctx, {1, 4}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  MO_TRY(merge_shapes(ctx, ctx.input_shape(1), ctx.input_shape(2), "indices and segment_ids"));
  if (ctx.has_input(4)) MO_TRY(expect_scalar(ctx, 4));
  MO_ASSIGN(const Dimension segments, described_size(ctx, 3));
  return infer_bags(ctx, segments, 5, BagReduction::sum);
}

Expected<void> EmbeddingSegmentsSum::evaluate(EvalContext& ctx) const {
  if (ctx.output(0).element_count() == 0) return {};
  MO_ASSIGN(const std::vector<std::int64_t> segments, ctx.integers(2));
  const std::int64_t bags = ctx.output(0).shape()[0];
  std::vector<std::int64_t> begins;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::int64_t segment = segments[i];
    if (segment < 0 || segment >= bags || (i > 0 && segment < segments[i - 1]))
      return wrong_bags(ctx, "segment", segment);
    while (static_cast<std::int64_t>(begins.size()) <= segment) begins.push_back(static_cast<std::int64_t>(i));
  }
  begins.resize(static_cast<std::size_t>(bags) + 1, static_cast<std::int64_t>(segments.size()));
  MO_ASSIGN(const std::int64_t row, default_row(ctx, 4));
  return evaluate_bags(ctx, begins, row, 5, BagReduction::sum);
}

void register_embedding_bag(OpRegistry& registry) {
  registry.add<EmbeddingBagOffsetsSum>();
  registry.add<EmbeddingBagPackedSum>();
  registry.add<EmbeddingSegmentsSum>();
  registry.add<EmbeddingBagOffsets>();
  registry.add<EmbeddingBagPacked>();
}

}  // namespace mo::ops
