#include "ops/gather_nd.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/gather.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kAnyRank = std::numeric_limits<std::int64_t>::max();

Expected<PartialShape> gathered_shape(const InferContext& ctx, std::int64_t batch_dims, bool flatten) {
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& indices = ctx.input_shape(1);
  if (batch_dims < 0 || (data.has_rank() && batch_dims >= *data.rank()) ||
      (indices.has_rank() && batch_dims >= *indices.rank()))
    return ctx
        .error("MO-OPS-0211", "batch_dims {} does not fit {} and {}", batch_dims, data.to_string(), indices.to_string())
        .hint("data and indices share their first batch_dims dimensions; check the ranks of the inputs");
  if (!data.has_rank() || !indices.has_rank()) return PartialShape::unknown_rank();
  const auto batch = static_cast<std::size_t>(batch_dims);
  const Dimension& depth = indices[indices.size() - 1];
  if (depth.min() > static_cast<std::int64_t>(data.size() - batch))
    return ctx
        .error("MO-OPS-0204", "indices of {} values do not match {} with batch_dims {}", depth.to_string(),
               data.to_string(), batch_dims)
        .hint("the last dimension of the indices is at most the rank of the data after the batch dimensions");
  std::vector<Dimension> dims;
  for (std::size_t i = 0; i < batch; ++i) {
    MO_ASSIGN(const Dimension d,
              merge_dimensions(ctx, data[i], indices[i], "the batch dimensions of data and indices"));
    if (flatten && i > 0)
      dims[0] = dims[0] * d;
    else
      dims.push_back(d);
  }
  if (!depth.is_known()) return PartialShape::unknown_rank();
  dims.insert(dims.end(), indices.begin() + batch_dims, indices.end() - 1);
  dims.insert(dims.end(), data.begin() + batch_dims + depth.value(), data.end());
  return PartialShape(std::move(dims));
}

Expected<void> infer_gather_nd(InferContext& ctx, std::int64_t batch_dims, bool flatten) {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(0, 1, kAnyRank));
  MO_TRY(ctx.expect_rank(1, 1, kAnyRank));
  MO_ASSIGN(PartialShape shape, gathered_shape(ctx, batch_dims, flatten));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

template <class T>
Expected<void> evaluate_gather_nd(EvalContext& ctx, const T& op) {
  if (moves_packed_elements(ctx, T::traits.moves_elements)) return evaluate_by_ids(ctx, op);
  const Tensor& data = ctx.input(0);
  const std::int64_t depth = ctx.input(1).shape().back();
  MO_ASSIGN(std::vector<std::int64_t> indices, ctx.integers(1));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::int64_t axis = op.batch_dims + static_cast<std::int64_t>(i) % depth;
    MO_ASSIGN(indices[i], checked_index(ctx, indices[i], data.shape()[static_cast<std::size_t>(axis)], true));
  }
  reference::gather_nd(data, indices, depth, op.batch_dims, ctx.output(0));
  return {};
}

}  // namespace

Expected<void> v5::GatherND::infer(InferContext& ctx) const { return infer_gather_nd(ctx, batch_dims, true); }
Expected<void> v5::GatherND::evaluate(EvalContext& ctx) const { return evaluate_gather_nd(ctx, *this); }

Expected<void> v8::GatherND::infer(InferContext& ctx) const { return infer_gather_nd(ctx, batch_dims, false); }
Expected<void> v8::GatherND::evaluate(EvalContext& ctx) const { return evaluate_gather_nd(ctx, *this); }

void register_gather_nd(OpRegistry& registry) {
  registry.add<v5::GatherND>();
  registry.add<v8::GatherND>();
}

}  // namespace mo::ops
