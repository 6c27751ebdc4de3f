#include "ops/scatter.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/scatter.hpp"
#include "ops/reference/strided_copy.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

using reference::ScatterReduction;

ScatterReduction reduction_of(v12::ElementsReduction reduction) {
  constexpr std::array kinds{ScatterReduction::none, ScatterReduction::sum, ScatterReduction::prod,
                             ScatterReduction::min,  ScatterReduction::max, ScatterReduction::mean};
  return kinds[static_cast<std::size_t>(reduction)];
}
ScatterReduction reduction_of(v15::NDReduction reduction) {
  constexpr std::array kinds{ScatterReduction::none, ScatterReduction::sum, ScatterReduction::sub,
                             ScatterReduction::prod, ScatterReduction::min, ScatterReduction::max};
  return kinds[static_cast<std::size_t>(reduction)];
}

Expected<ElementType> scattered_type(const InferContext& ctx, ScatterReduction reduction) {
  MO_TRY(expect_indices(ctx, {1, 3}));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 2}));
  if (type != ElementType::dynamic && !reference::can_reduce(reduction, type))
    return ctx.error("MO-OPS-0006", "elements of type {} cannot be reduced like this", to_string(type))
        .hint("only numbers can be added and compared");
  return type;
}

/// The axis in input 3, when it and the rank are known.
Expected<std::optional<std::int64_t>> known_scatter_axis(const InferContext& ctx) {
  MO_TRY(expect_one_element(ctx, 3, "axis"));
  const auto axis = ctx.integer(3);
  if (!axis || !ctx.input(0).rank()) return std::optional<std::int64_t>();
  MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, *axis, *ctx.input(0).rank()));
  return std::optional(place);
}

Expected<void> infer_elements(InferContext& ctx, ScatterReduction reduction) {
  MO_TRY(ctx.expect_inputs(4));
  MO_ASSIGN(const ElementType type, scattered_type(ctx, reduction));
  MO_TRY(known_scatter_axis(ctx));
  MO_ASSIGN(const PartialShape updates,
            merge_shapes(ctx, ctx.input_shape(1), ctx.input_shape(2), "indices and updates"));
  const PartialShape& data = ctx.input_shape(0);
  if (data.has_rank() && updates.has_rank()) {
    MO_ASSIGN(const std::optional<std::int64_t> axis, known_scatter_axis(ctx));
    bool fits = data.size() == updates.size();
    for (std::size_t i = 0; fits && axis && i < data.size(); ++i)
      fits = static_cast<std::int64_t>(i) == *axis || updates[i].min() <= data[i].max();
    if (!fits)
      return ctx
          .error("MO-OPS-0204", "indices and updates of shape {} do not fit into {}", updates.to_string(),
                 data.to_string())
          .hint("beside the axis they are not larger than the data");
  }
  ctx.output(0, type, data);
  return {};
}

Expected<void> evaluate_elements(EvalContext& ctx, ScatterReduction reduction, bool use_init) {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::int64_t given, only_integer(ctx, 3));
  MO_ASSIGN(const std::int64_t axis, checked_axis(ctx, given, data.rank()));
  MO_ASSIGN(const std::vector<std::int64_t> indices,
            checked_indices(ctx, 1, data.shape()[static_cast<std::size_t>(axis)], true));
  reference::copy_all(data, ctx.output(0));
  return reference::scatter_elements(ctx.input(2), indices, axis, reduction, use_init, ctx.output(0));
}

Expected<void> infer_nd(InferContext& ctx, ScatterReduction reduction) {
  MO_TRY(ctx.expect_inputs(3));
  MO_ASSIGN(const ElementType type, scattered_type(ctx, reduction));
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& indices = ctx.input_shape(1);
  if (indices.has_rank() && indices.size() == 0)
    return ctx.error("MO-OPS-0003", "input 1 has shape [], a rank of at least 1 is expected")
        .hint("the last dimension of the indices describes places");
  if (data.has_rank() && indices.has_rank()) {
    const Dimension& depth = indices[indices.size() - 1];
    if (depth.min() > *data.rank())
      return ctx.error("MO-OPS-0204", "indices of {} values do not match {}", depth.to_string(), data.to_string())
          .hint("the last dimension of the indices is at most the rank of the data");
    if (depth.is_known()) {
      std::vector<Dimension> dims(indices.begin(), indices.end() - 1);
      dims.insert(dims.end(), data.begin() + depth.value(), data.end());
      MO_TRY(merge_shapes(ctx, ctx.input_shape(2), PartialShape(std::move(dims)),
                          "the updates and what the indices select"));
    }
  }
  ctx.output(0, type, data);
  return {};
}

Expected<void> evaluate_nd(EvalContext& ctx, ScatterReduction reduction) {
  const Tensor& data = ctx.input(0);
  const std::int64_t depth = ctx.input(1).shape().back();
  MO_ASSIGN(std::vector<std::int64_t> indices, ctx.integers(1));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    MO_ASSIGN(indices[i], checked_index(ctx, indices[i], data.shape()[i % static_cast<std::size_t>(depth)], true));
  }
  reference::copy_all(data, ctx.output(0));
  reference::scatter_nd(ctx.input(2), indices, depth, reduction, ctx.output(0));
  return {};
}

}  // namespace

Expected<void> ScatterUpdate::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(ctx.expect_rank(3, 0, 1));
  MO_ASSIGN(const ElementType type, scattered_type(ctx, ScatterReduction::none));
  MO_ASSIGN(const std::optional<std::int64_t> axis, known_scatter_axis(ctx));
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& indices = ctx.input_shape(1);
  if (axis && indices.has_rank()) {
    std::vector<Dimension> dims(data.begin(), data.begin() + *axis);
    dims.insert(dims.end(), indices.begin(), indices.end());
    dims.insert(dims.end(), data.begin() + *axis + 1, data.end());
    MO_TRY(merge_shapes(ctx, ctx.input_shape(2), PartialShape(std::move(dims)),
                        "the updates and what the indices select"));
  }
  ctx.output(0, type, data);
  return {};
}

Expected<void> ScatterUpdate::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::int64_t given, only_integer(ctx, 3));
  MO_ASSIGN(const std::int64_t axis, checked_axis(ctx, given, data.rank()));
  MO_ASSIGN(const std::vector<std::int64_t> indices,
            checked_indices(ctx, 1, data.shape()[static_cast<std::size_t>(axis)], true));
  reference::copy_all(data, ctx.output(0));
  reference::scatter_slices(ctx.input(2), indices, axis, ctx.output(0));
  return {};
}

Expected<void> v3::ScatterElementsUpdate::infer(InferContext& ctx) const {
  return infer_elements(ctx, ScatterReduction::none);
}
Expected<void> v3::ScatterElementsUpdate::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  return evaluate_elements(ctx, ScatterReduction::none, true);
}

Expected<void> v12::ScatterElementsUpdate::infer(InferContext& ctx) const {
  MO_TRY(infer_elements(ctx, reduction_of(reduction)));
  if (reduction != ElementsReduction::none) return {};
  const v3::ScatterElementsUpdate plain;
  if (auto value = moved_partial(ctx, OpType::of<v3::ScatterElementsUpdate>(), &plain))
    ctx.output_partial(0, *std::move(value));
  return {};
}
Expected<void> v12::ScatterElementsUpdate::evaluate(EvalContext& ctx) const {
  if (reduction == ElementsReduction::none) return v3::ScatterElementsUpdate{}.evaluate(ctx);
  return evaluate_elements(ctx, reduction_of(reduction), use_init_val);
}

Expected<void> v3::ScatterNDUpdate::infer(InferContext& ctx) const { return infer_nd(ctx, ScatterReduction::none); }
Expected<void> v3::ScatterNDUpdate::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  return evaluate_nd(ctx, ScatterReduction::none);
}

Expected<void> v15::ScatterNDUpdate::infer(InferContext& ctx) const {
  MO_TRY(infer_nd(ctx, reduction_of(reduction)));
  if (reduction != NDReduction::none) return {};
  const v3::ScatterNDUpdate plain;
  if (auto value = moved_partial(ctx, OpType::of<v3::ScatterNDUpdate>(), &plain))
    ctx.output_partial(0, *std::move(value));
  return {};
}
Expected<void> v15::ScatterNDUpdate::evaluate(EvalContext& ctx) const {
  if (reduction == NDReduction::none) return v3::ScatterNDUpdate{}.evaluate(ctx);
  return evaluate_nd(ctx, reduction_of(reduction));
}

void register_scatter(OpRegistry& registry) {
  registry.add<ScatterUpdate>();
  registry.add<v3::ScatterElementsUpdate>();
  registry.add<v12::ScatterElementsUpdate>();
  registry.add<v3::ScatterNDUpdate>();
  registry.add<v15::ScatterNDUpdate>();
}

}  // namespace mo::ops
