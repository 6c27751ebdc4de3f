#include "ops/generate_proposals.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> GenerateProposals::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(ctx.expect_rank(0, 2, 2));
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) MO_TRY(ctx.expect_rank(i, 4, 4));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2, 3}));
  if (pre_nms_count < 1 || post_nms_count < 1 || nms_eta != 1.0)
    return ctx
        .error("MO-OPS-0449", "pre_nms_count {}, post_nms_count {}, nms_eta {} are not possible", pre_nms_count,
               post_nms_count, nms_eta)
        .hint("counts are at least 1, and nms_eta is 1");
  if (roi_num_type != ElementType::i32 && roi_num_type != ElementType::i64)
    return ctx.error("MO-OPS-0432", "roi_num_type is {}", to_string(roi_num_type)).hint("indices are i32 or i64");
  Dimension images;
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
    if (!ctx.input_shape(i).has_rank()) continue;
    const auto merged = images.merge(ctx.input_shape(i)[0]);
    if (!merged)
      return ctx
          .error("MO-OPS-0448", "input {} has {} images, others {}", i, ctx.input_shape(i)[0].to_string(),
                 images.to_string())
          .hint("check --input_shape");
    images = *merged;
  }
  const Dimension rows(0, (images * Dimension(post_nms_count)).max());
  ctx.output(0, type, {rows, 4});
  ctx.output(1, type, PartialShape{rows});
  ctx.output(2, roi_num_type, PartialShape{images});
  return {};
}

void register_generate_proposals(OpRegistry& registry) { registry.add<GenerateProposals>(); }

}  // namespace mo::ops
