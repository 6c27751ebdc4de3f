#include "ops/range.hpp"

#include <cmath>
#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/range.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

Diagnostic no_length(const InferContext& ctx, std::string_view why) {
  return ctx.error("MO-OPS-0214", "the range has no length: {}", why)
      .hint("the step must be a number other than 0, and the bounds must be finite");
}

/// ceil((stop - start) / step), at least 0. Integers exactly.
Expected<Dimension> integer_length(const InferContext& ctx, std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step == 0) return no_length(ctx, "the step is 0");
  if (step > 0 ? stop <= start : stop >= start) return Dimension(0);
  // Differences of i64 need 64 bits without sign.
  const auto low = static_cast<std::uint64_t>(step > 0 ? start : stop);
  const auto high = static_cast<std::uint64_t>(step > 0 ? stop : start);
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : std::uint64_t{0} - static_cast<std::uint64_t>(step);
  const std::uint64_t length = (high - low - 1) / stride + 1;
  if (length >= static_cast<std::uint64_t>(Dimension::kNoLimit)) return no_length(ctx, "it is too long");
  return Dimension(static_cast<std::int64_t>(length));
}

Expected<Dimension> real_length(const InferContext& ctx, double start, double stop, double step) {
  if (step == 0 || !std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step))
    return no_length(ctx, "a bound or the step is not finite, or the step is 0");
  const double length = std::ceil((stop - start) / step);
  if (length <= 0) return Dimension(0);
  if (!(length < 9e18)) return no_length(ctx, "it is too long");
  return Dimension(static_cast<std::int64_t>(length));
}

/// What is known of the length when a bound is a size that is not known yet: Range(0, n, 1) has n elements.
Dimension partial_length(const InferContext& ctx) {
  const Dimension start = scalar_element(ctx, 0);
  const Dimension stop = scalar_element(ctx, 1);
  const Dimension step = scalar_element(ctx, 2);
  if (!step.is_known() || step.value() <= 0 || !start.is_known()) return {};
  if (stop.is_known()) return {};
  const Dimension way = start.value() >= 0                     ? stop - start
                        : start.value() > -Dimension::kNoLimit ? stop + Dimension(-start.value())
                                                               : Dimension();
  return way.ceil_div(step.value());
}

Expected<Dimension> range_length(const InferContext& ctx, ElementType type) {
  bool integral = true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!ctx.value(i)) return partial_length(ctx);
    integral = integral && is_integral(ctx.input_element_type(i));
  }
  if (integral) {
    const auto start = ctx.integer(0);
    const auto stop = ctx.integer(1);
    const auto step = ctx.integer(2);
    return start && stop && step ? integer_length(ctx, *start, *stop, *step) : Expected<Dimension>(Dimension());
  }
  double numbers[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = ctx.reals(i);
    if (!number) return Dimension();
    numbers[i] = is_integral(type) ? std::trunc(number->front()) : number->front();
  }
  return real_length(ctx, numbers[0], numbers[1], numbers[2]);
}

Expected<void> infer_range(InferContext& ctx, ElementType type) {
  if (type != ElementType::dynamic && !is_number(type))
    return ctx.error("MO-OPS-0006", "output_type is {}, a number type is expected", to_string(type))
        .hint("set output_type");
  for (std::size_t i = 0; i < 3; ++i) {
    MO_TRY(expect_element_type(ctx, i, is_number, "a number type"));
    MO_TRY(expect_scalar(ctx, i));
  }
  MO_ASSIGN(const Dimension length, range_length(ctx, type));
  ctx.output(0, type, {length});
  return {};
}

Expected<void> evaluate_range(EvalContext& ctx) {
  Tensor& out = ctx.output(0);
  if (is_integral(ctx.input(0).element_type()) && is_integral(ctx.input(2).element_type()) &&
      is_integral(out.element_type())) {
    MO_ASSIGN(const std::int64_t start, only_integer(ctx, 0));
    MO_ASSIGN(const std::int64_t step, only_integer(ctx, 2));
    reference::integer_range(start, step, out);
    return {};
  }
  MO_ASSIGN(const std::vector<double> start, ctx.reals(0));
  MO_ASSIGN(const std::vector<double> step, ctx.reals(2));
  reference::real_range(start.front(), step.front(), out);
  return {};
}

}  // namespace

Expected<void> v0::Range::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2}));
  return infer_range(ctx, type);
}
Expected<void> v0::Range::evaluate(EvalContext& ctx) const { return evaluate_range(ctx); }

Expected<void> v4::Range::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  return infer_range(ctx, output_type);
}
Expected<void> v4::Range::evaluate(EvalContext& ctx) const { return evaluate_range(ctx); }

void register_range(OpRegistry& registry) {
  registry.add<v0::Range>();
  registry.add<v4::Range>();
}

}  // namespace mo::ops
