#include "ops/multinomial.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

bool is_sample_type(ElementType type) { return type == ElementType::i32 || type == ElementType::i64; }

}  // namespace

Expected<void> Multinomial::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, kReal.accepts, kReal.description));
  MO_TRY(expect_element_type(ctx, 1, is_sample_type, "i32 or i64"));
  MO_TRY(ctx.expect_rank(0, 2, 2));
  MO_TRY(expect_one_element(ctx, 1, "num_samples"));
  if (!is_sample_type(convert_type))
    return ctx.error("MO-OPS-0111", "convert_type is {}, i32 or i64 is expected", to_string(convert_type))
        .hint("convert the output of the node instead");
  PartialShape shape = PartialShape::of_rank(2);
  if (ctx.input_shape(0).has_rank()) shape[0] = ctx.input_shape(0)[0];
  if (const auto samples = ctx.partial(1); samples && samples->elements.size() == 1) {
    if (samples->elements[0].min() < 0)
      return ctx.error("MO-OPS-0005", "num_samples is {}", samples->elements[0].min())
          .hint("the number of samples cannot be negative");
    shape[1] = samples->elements[0];
  }
  ctx.output(0, convert_type, std::move(shape));
  return {};
}

void register_multinomial(OpRegistry& registry) { registry.add<Multinomial>(); }

}  // namespace mo::ops
