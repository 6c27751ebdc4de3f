#include "ops/matrix_nms.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// `counted`: the number of boxes of each image is input 2, boxes are [C, M, 4] and scores [C, M].
template <class Nms>
Expected<void> infer_class_suppression(const Nms& op, InferContext& ctx, bool counted) {
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, counted ? 2 : 3, counted ? 2 : 3));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  if (op.output_type != ElementType::i32 && op.output_type != ElementType::i64)
    return ctx.error("MO-OPS-0432", "output_type is {}", to_string(op.output_type)).hint("indices are i32 or i64");
  if (op.nms_top_k < -1 || op.keep_top_k < -1)
    return ctx.error("MO-OPS-0433", "nms_top_k is {} and keep_top_k {}", op.nms_top_k, op.keep_top_k)
        .hint("give a number of boxes, or -1 for all");
  if (op.background_class < -1)
    return ctx.error("MO-OPS-0433", "background_class is {}", op.background_class).hint("give a class, or -1 for none");
  if constexpr (requires { op.nms_eta; })
    if (!(op.nms_eta >= 0 && op.nms_eta <= 1))
      return ctx.error("MO-OPS-0433", "nms_eta is {}", op.nms_eta).hint("it is in [0, 1]");
  const PartialShape boxes = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(3);
  const PartialShape scores =
      ctx.input_shape(1).has_rank() ? ctx.input_shape(1) : PartialShape::of_rank(counted ? 2 : 3);
  const auto first = boxes[0].merge(scores[0]);
  const auto count = boxes[1].merge(scores[counted ? 1 : 2]);
  if (!first || !count || !boxes[2].compatible(4))
    return ctx
        .error("MO-OPS-0430", "boxes {} and scores {} do not belong together", boxes.to_string(), scores.to_string())
        .hint("{}", counted ? "boxes are [classes, count, 4], scores [classes, count]"
                            : "boxes are [batch, count, 4], scores [batch, classes, count]");
  Dimension images = *first;
  Dimension classes = *first;
  if (counted) {
    MO_TRY(ctx.expect_rank(2, 1, 1));
    MO_TRY(expect_element_type(ctx, 2, is_integral, "an integer type"));
    images = ctx.input_shape(2).has_rank() ? ctx.input_shape(2)[0] : Dimension();
  } else {
    classes = scores[1];
  }
  const auto at_most = [](std::int64_t limit, const Dimension& d) {
    return limit < 0 ? d.max() : std::min(limit, d.max());
  };
  const Dimension per_class(0, at_most(op.nms_top_k, *count));
  const Dimension per_image(0, at_most(op.keep_top_k, classes * per_class));
  const Dimension rows(0, (images * per_image).max());
  ctx.output(0, type, {rows, 6});
  ctx.output(1, op.output_type, {rows, 1});
  ctx.output(2, op.output_type, PartialShape{images});
  return {};
}

}  // namespace

Expected<void> MatrixNms::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  return infer_class_suppression(*this, ctx, false);
}

Expected<void> v8::MulticlassNms::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  return infer_class_suppression(*this, ctx, false);
}

Expected<void> v9::MulticlassNms::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  return infer_class_suppression(*this, ctx, ctx.has_input(2));
}

void register_matrix_nms(OpRegistry& registry) {
  registry.add<MatrixNms>();
  registry.add<v8::MulticlassNms>();
  registry.add<v9::MulticlassNms>();
}

}  // namespace mo::ops
