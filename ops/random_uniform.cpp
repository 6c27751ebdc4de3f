#include "ops/random_uniform.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/philox.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

bool is_shape_type(ElementType type) { return type == ElementType::i32 || type == ElementType::i64; }

}  // namespace

Expected<void> RandomUniform::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_element_type(ctx, 0, is_shape_type, "i32 or i64"));
  MO_TRY(ctx.expect_rank(0, 1, 1));
  if (!is_number(output_type))
    return ctx.error("MO-OPS-0111", "output_type is {}, a number type is expected", to_string(output_type))
        .hint("convert the output of the node instead");
  for (const std::size_t i : {1, 2}) {
    MO_TRY(expect_one_element(ctx, i, i == 1 ? "minval" : "maxval"));
    if (const ElementType type = ctx.input_element_type(i); type != ElementType::dynamic && type != output_type)
      return ctx
          .error("MO-OPS-0002", "input {} is {}, but output_type is {}", i, to_string(type), to_string(output_type))
          .hint("convert the limits to output_type in the model");
  }
  const auto low = ctx.reals(1);
  const auto high = ctx.reals(2);
  // IR RandomUniform-8: maxval is exclusive. f64 tells neighbouring 64-bit limits apart up to 2^53, so equal ones are
  // left to evaluation.
  if (low && high && low->size() == 1 && high->size() == 1 && low->front() > high->front())
    return ctx.error("MO-OPS-0110", "minval {} is not below maxval {}", low->front(), high->front())
        .hint("exchange the limits in the model");
  MO_ASSIGN(PartialShape shape, shape_from_input(ctx, 0));
  ctx.output(0, output_type, std::move(shape));
  return {};
}

Expected<void> RandomUniform::evaluate(EvalContext& ctx) const {
  if (alignment == RandomAlignment::pytorch)
    return ctx.error("MO-OPS-0113", "the generator of PyTorch is not available in the reference executor")
        .hint("run the model in a runtime, or use alignment=\"tensorflow\"");
  if (is_integral(output_type)) {
    MO_ASSIGN(const std::vector<std::int64_t> low, ctx.integers(1));
    MO_ASSIGN(const std::vector<std::int64_t> high, ctx.integers(2));
    const bool ordered = output_type == ElementType::u64
                             ? static_cast<std::uint64_t>(low[0]) < static_cast<std::uint64_t>(high[0])
                             : low[0] < high[0];
    if (!ordered)
      return ctx.error("MO-OPS-0110", "minval {} is not below maxval {}", low[0], high[0])
          .hint("maxval is exclusive: no integer lies between the limits");
  }
  reference::random_uniform(ctx.input(1), ctx.input(2), ctx.output(0), static_cast<std::uint64_t>(global_seed),
                            static_cast<std::uint64_t>(op_seed));
  return {};
}

void register_random_uniform(OpRegistry& registry) { registry.add<RandomUniform>(); }

}  // namespace mo::ops
