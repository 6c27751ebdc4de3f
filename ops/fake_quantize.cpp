#include "ops/fake_quantize.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/fake_quantize.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

constexpr std::array<std::string_view, 5> kFakeQuantizeInputs{"data", "input_low", "input_high", "output_low",
                                                              "output_high"};

}  // namespace

Expected<void> FakeQuantize::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(5));
  // The kernel counts steps in float: 2^24 is where neighbouring levels stop being different numbers.
  constexpr std::int64_t kMostLevels = std::int64_t{1} << 24;
  if (levels < 2 || levels > kMostLevels)
    return ctx.error("MO-OPS-0105", "{} levels, 2 to {} are expected", levels, kMostLevels)
        .hint("8-bit quantization has 256 levels (255 when symmetric)");
  for (std::size_t i = 0; i < 5; ++i) MO_TRY(expect_element_type(ctx, i, kReal.accepts, kReal.description));
  MO_TRY(common_element_type(ctx, {1, 2, 3, 4}));
  PartialShape shape = ctx.input_shape(0);
  const BroadcastRule rule{auto_broadcast, auto_broadcast_axis};
  for (std::size_t i = 1; i < 5; ++i) {
    MO_ASSIGN(shape, auto_broadcast == AutoBroadcast::numpy
                         ? expect_fits_into(ctx, shape, ctx.input_shape(i), kFakeQuantizeInputs[i])
                         : combine_shapes(ctx, rule, shape, ctx.input_shape(i)));
  }
  ctx.output(0, ctx.input(0).element_type, std::move(shape));
  return {};
}

Expected<void> FakeQuantize::evaluate(EvalContext& ctx) const {
  const BroadcastRule rule{auto_broadcast, auto_broadcast_axis};
  const Tensor& data = ctx.input(0);
  const auto range = [&](std::size_t i) { return aligned(rule, data.rank(), ctx.input(i)); };
  const Tensor input_low = range(1), input_high = range(2), output_low = range(3), output_high = range(4);
  const ElementType type = input_low.element_type();
  if (type == data.element_type()) {
    reference::fake_quantize(data, {input_low, input_high, output_low, output_high}, ctx.output(0), levels);
    return {};
  }
  // Limits of another type: runtimes compute in that type.
  MO_ASSIGN(const Tensor as_limits, convert(data, type));
  MO_ASSIGN(Tensor result, Tensor::allocate(type, data.shape()));
  reference::fake_quantize(as_limits, {input_low, input_high, output_low, output_high}, result, levels);
  MO_ASSIGN(Tensor back, convert(result, data.element_type()));
  ctx.set_output(0, std::move(back));
  return {};
}

void register_fake_quantize(OpRegistry& registry) { registry.add<FakeQuantize>(); }

}  // namespace mo::ops
