#include "ops/reduce.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/axis_runs.hpp"
#include "ops/support/axes.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// The shape when rank or axes are not known.
PartialShape vague_shape(const PartialShape& data, const PartialShape& axes, bool keep_dims) {
  if (!data.has_rank()) return PartialShape::unknown_rank();
  if (keep_dims) {
    PartialShape shape = data;
    for (Dimension& dim : shape.dims())
      if (dim != Dimension(1))
        dim = Dimension(std::min<std::int64_t>(dim.min(), 1), std::max<std::int64_t>(dim.max(), 1));
    return shape;
  }
  // Axes are distinct, so their number says how many dimensions go.
  const auto count = axes.element_count();
  if (!count || *count > static_cast<std::int64_t>(data.size())) return PartialShape::unknown_rank();
  return *count == 0 ? data : PartialShape::of_rank(data.size() - static_cast<std::size_t>(*count));
}

PartialShape reduced_shape(const PartialShape& data, const std::vector<bool>& reduced, bool keep_dims) {
  std::vector<Dimension> dims;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!reduced[i])
      dims.push_back(data[i]);
    else if (keep_dims)
      dims.emplace_back(1);
  }
  return PartialShape(std::move(dims));
}

/// Integers of which some are unknown: sums, products and limits of intervals (a shape computation).
void reduce_partial(InferContext& ctx, ReduceKind kind, const std::vector<bool>& reduced, bool keep_dims) {
  if (kind != ReduceKind::sum && kind != ReduceKind::prod && kind != ReduceKind::max && kind != ReduceKind::min) return;
  if (ctx.value(0) || !is_integral(ctx.input_element_type(0))) return;
  const auto value = ctx.partial(0);
  if (!value || value->shape.size() != reduced.size()) return;
  // Interval arithmetic of dimensions is that of numbers that are not negative.
  if (std::any_of(value->elements.begin(), value->elements.end(), [](const Dimension& d) { return d.min() < 0; }))
    return;
  const auto groups = static_cast<std::size_t>(reference::group_count(value->shape, reduced));
  if (value->elements.empty() || groups > static_cast<std::size_t>(kMaxPartialElements)) return;
  std::vector<std::optional<Dimension>> results(groups);
  std::vector<std::vector<Dimension>> factors(kind == ReduceKind::prod ? groups : 0);
  const auto combine = [kind](const Dimension& a, const Dimension& b) -> Dimension {
    if (a.same_value(b) && (kind == ReduceKind::max || kind == ReduceKind::min)) return a;
    switch (kind) {
      case ReduceKind::sum: return a + b;
      case ReduceKind::prod: return a * b;
      case ReduceKind::max: return {std::max(a.min(), b.min()), std::max(a.max(), b.max())};
      default: return {std::min(a.min(), b.min()), std::min(a.max(), b.max())};
    }
  };
  reference::for_each_run(value->shape, reduced,
                          [&](std::int64_t offset, std::int64_t length, std::int64_t group, std::int64_t step) {
                            for (std::int64_t i = 0; i < length; ++i) {
                              auto& result = results[static_cast<std::size_t>(group + i * step)];
                              const Dimension& element = value->elements[static_cast<std::size_t>(offset + i)];
                              result = result ? combine(*result, element) : element;
                              if (kind == ReduceKind::prod)
                                factors[static_cast<std::size_t>(group + i * step)].push_back(element);
                            }
                          });
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (results[i] && !results[i]->is_known()) results[i] = ctx.quotient(factors[i], {}, *results[i]);
  PartialValue out;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i])
      out.shape.push_back(value->shape[i]);
    else if (keep_dims)
      out.shape.push_back(1);
  }
  for (const auto& result : results) out.elements.push_back(result.value_or(Dimension()));
  ctx.output_partial(0, std::move(out));
}

}  // namespace

template <ReduceKind kind>
Expected<void> Reduction<kind>::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  if constexpr (detail::kReductions[static_cast<std::size_t>(kind)].logical)
    MO_TRY(expect_element_type(
        ctx, 0, [](ElementType type) { return type == ElementType::boolean; }, "boolean"));
  else
    MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  const TensorType& data = ctx.input(0);
  MO_ASSIGN(const auto axes, axes_from_input(ctx, 1, data.shape));
  if (axes && axes->empty()) {
    ctx.output(0, data);
  } else if (!axes) {
    ctx.output(0, data.element_type, vague_shape(data.shape, ctx.input_shape(1), keep_dims));
    return {};
  }
  if (!data.shape.has_rank()) return {};
  const std::vector<bool> reduced = mark_axes(*axes, static_cast<std::int64_t>(data.shape.size()));
  ctx.output(0, data.element_type, reduced_shape(data.shape, reduced, keep_dims));
  reduce_partial(ctx, kind, reduced, keep_dims);
  return {};
}

template <ReduceKind kind>
Expected<void> Reduction<kind>::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<bool> reduced, marked_axes(ctx, 1, data.rank()));
  // IR specification: without axes the op does nothing, not even L1 of single elements.
  if (std::find(reduced.begin(), reduced.end(), true) == reduced.end() && ctx.input(1).element_count() == 0) {
    ctx.set_output(0, data);
    return {};
  }
  return reference::reduce(data, ctx.output(0), reduced, kind);
}

namespace {

template <ReduceKind... kinds>
void register_reductions(OpRegistry& registry) {
  (registry.add<Reduction<kinds>>(), ...);
}

}  // namespace

void register_reduce(OpRegistry& registry) {
  using enum ReduceKind;
  register_reductions<sum, mean, max, min, prod, l1, l2, logical_and, logical_or>(registry);
}

template struct Reduction<ReduceKind::sum>;
template struct Reduction<ReduceKind::mean>;
template struct Reduction<ReduceKind::max>;
template struct Reduction<ReduceKind::min>;
template struct Reduction<ReduceKind::prod>;
template struct Reduction<ReduceKind::l1>;
template struct Reduction<ReduceKind::l2>;
template struct Reduction<ReduceKind::logical_and>;
template struct Reduction<ReduceKind::logical_or>;

}  // namespace mo::ops
