#include "ops/pooling.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/pooling.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

const std::vector<std::int64_t> kUndilated;

TorchRoundingType wide(RoundingType rounding) {
  return rounding == RoundingType::floor ? TorchRoundingType::floor : TorchRoundingType::ceil;
}
TorchRoundingType wide(TorchRoundingType rounding) { return rounding; }

template <class Op>
WindowAttributes window_of_pool(const Op& op) {
  const std::vector<std::int64_t>* dilations = &kUndilated;
  if constexpr (requires { op.dilations; }) dilations = &op.dilations;
  return {op.strides, op.pads_begin, op.pads_end, *dilations, op.auto_pad, wide(op.rounding_type)};
}

/// [N, C, pooled spatial…].
template <class Op>
Expected<PartialShape> pooled_shape(const Op& op, const InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number"));
  MO_TRY(ctx.expect_rank(0, 3, 5));
  const PartialShape& data = ctx.input_shape(0);
  const std::size_t rank = data.has_rank() ? data.size() - 2 : op.kernel.size();
  if (rank < 1 || rank > 3 || op.kernel.size() != rank)
    return ctx
        .error("MO-OPS-0300", "kernel has {} elements, data {} has {} spatial dimensions", op.kernel.size(),
               data.to_string(), rank)
        .hint("give one number per spatial dimension (all but batch and channel), 1 to 3 of them");
  MO_TRY(check_window_list(ctx, op.kernel, "kernel", 1, rank));
  const WindowAttributes attributes = window_of_pool(op);
  MO_TRY(check_window(ctx, attributes, rank));
  const std::vector<Dimension> kernel(op.kernel.begin(), op.kernel.end());
  MO_ASSIGN(const std::vector<Dimension> spatial, window_output(ctx, data, kernel, attributes));
  std::vector<Dimension> dims(2);
  if (data.has_rank()) dims = {data[0], data[1]};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return PartialShape(std::move(dims));
}

template <class Op>
Expected<void> infer_average(const Op& op, InferContext& ctx) {
  MO_ASSIGN(PartialShape shape, pooled_shape(op, ctx));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

template <class Op>
Expected<void> evaluate_average(const Op& op, EvalContext& ctx) {
  const Tensor& data = ctx.input(0);
  Tensor& out = ctx.output(0);
  reference::average_pool(data, out, make_window(data.shape(), op.kernel, out.shape(), window_of_pool(op)),
                          op.exclude_pad);
  return {};
}

Expected<void> check_index_type(const InferContext& ctx, ElementType type) {
  if (type == ElementType::i32 || type == ElementType::i64) return {};
  return ctx.error("MO-OPS-0309", "index_element_type is {}, i32 or i64 is expected", to_string(type))
      .hint("correct the attribute in the model");
}

template <class Op>
Expected<void> infer_max(const Op& op, InferContext& ctx) {
  MO_ASSIGN(PartialShape shape, pooled_shape(op, ctx));
  if constexpr (requires { op.axis; }) {
    MO_TRY(check_index_type(ctx, op.index_element_type));
    if (const auto rank = ctx.input(0).rank()) MO_TRY(normalize_axis(ctx, op.axis, *rank));
    ctx.output(1, op.index_element_type, shape);
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

/// Number of elements of a tensor of shape `data` from dimension `axis` on.
std::int64_t size_from(const Shape& data, std::int64_t axis) {
  const auto first =
      static_cast<std::size_t>(mo::normalize_axis(axis, static_cast<std::int64_t>(data.size())).value_or(0));
  std::int64_t size = 1;
  for (std::size_t i = first; i < data.size(); ++i) size *= data[i];
  return size;
}

template <class Op>
Expected<void> evaluate_max(const Op& op, EvalContext& ctx) {
  const Tensor& data = ctx.input(0);
  Tensor& out = ctx.output(0);
  Tensor* indices = nullptr;
  std::int64_t period = 1;
  if constexpr (requires { op.axis; }) {
    if (ctx.has_output(1)) indices = &ctx.output(1);
    if (data.element_count() > 0) period = size_from(data.shape(), op.axis);
  }
  return reference::max_pool(data, out, indices, make_window(data.shape(), op.kernel, out.shape(), window_of_pool(op)),
                             period);
}

Expected<PartialShape> adaptive_shape(const InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_TRY(expect_element_type(ctx, 1, is_integral, "an integer"));
  MO_TRY(ctx.expect_rank(0, 3, 5));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  const PartialShape& data = ctx.input_shape(0);
  MO_ASSIGN(const PartialShape wanted, shape_from_input(ctx, 1));
  if (!wanted.has_rank() && !data.has_rank()) return PartialShape::unknown_rank();
  if (wanted.has_rank() &&
      (wanted.size() < 1 || wanted.size() > 3 || (data.has_rank() && wanted.size() != data.size() - 2)))
    return ctx
        .error("MO-OPS-0305", "the output shape has {} elements, data {} has {} spatial dimensions", wanted.size(),
               data.to_string(), data.has_rank() ? fmt::format("{}", data.size() - 2) : "1 to 3")
        .hint("give the spatial dimensions only, without batch and channels");
  std::vector<Dimension> dims(2);
  if (data.has_rank()) dims = {data[0], data[1]};
  if (wanted.has_rank())
    dims.insert(dims.end(), wanted.begin(), wanted.end());
  else
    dims.resize(data.size());
  return PartialShape(std::move(dims));
}

reference::Window adaptive_window(const Shape& data, const Shape& out) {
  reference::Window window;
  for (std::size_t i = 2; i < data.size(); ++i) {
    reference::WindowAxisGeometry& axis = window.axes[3 - data.size() + i];
    axis.in = data[i];
    axis.out = out[i];
  }
  return window;
}

}  // namespace

Expected<void> v1::AvgPool::infer(InferContext& ctx) const {
  // The average of a window that holds nothing but padding is not defined.
  for (std::size_t i = 0; exclude_pad && i < kernel.size(); ++i)
    if (const WindowAxis axis = window_axis(window_of_pool(*this), i);
        std::max(axis.pad_begin, axis.pad_end) >= kernel[i])
      return ctx
          .error("MO-OPS-0303", "padding of {} and {} contains a whole window of {}, whose average is undefined",
                 axis.pad_begin, axis.pad_end, kernel[i])
          .hint("pads are smaller than the kernel, or count with exclude-pad=false");
  return infer_average(*this, ctx);
}
Expected<void> v1::AvgPool::evaluate(EvalContext& ctx) const { return evaluate_average(*this, ctx); }
Expected<void> v14::AvgPool::infer(InferContext& ctx) const { return infer_average(*this, ctx); }
Expected<void> v14::AvgPool::evaluate(EvalContext& ctx) const { return evaluate_average(*this, ctx); }
Expected<void> v16::AvgPool::infer(InferContext& ctx) const { return infer_average(*this, ctx); }
Expected<void> v16::AvgPool::evaluate(EvalContext& ctx) const { return evaluate_average(*this, ctx); }

Expected<void> v1::MaxPool::infer(InferContext& ctx) const { return infer_max(*this, ctx); }
Expected<void> v1::MaxPool::evaluate(EvalContext& ctx) const { return evaluate_max(*this, ctx); }
Expected<void> v8::MaxPool::infer(InferContext& ctx) const { return infer_max(*this, ctx); }
Expected<void> v8::MaxPool::evaluate(EvalContext& ctx) const { return evaluate_max(*this, ctx); }
Expected<void> v14::MaxPool::infer(InferContext& ctx) const { return infer_max(*this, ctx); }
Expected<void> v14::MaxPool::evaluate(EvalContext& ctx) const { return evaluate_max(*this, ctx); }

Expected<void> AdaptiveAvgPool::infer(InferContext& ctx) const {
  MO_ASSIGN(PartialShape shape, adaptive_shape(ctx));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> AdaptiveAvgPool::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  Tensor& out = ctx.output(0);
  reference::adaptive_average_pool(data, out, adaptive_window(data.shape(), out.shape()));
  return {};
}

Expected<void> AdaptiveMaxPool::infer(InferContext& ctx) const {
  MO_TRY(check_index_type(ctx, index_element_type));
  MO_ASSIGN(PartialShape shape, adaptive_shape(ctx));
  ctx.output(1, index_element_type, shape);
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> AdaptiveMaxPool::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  Tensor& out = ctx.output(0);
  return reference::adaptive_max_pool(data, out, ctx.has_output(1) ? &ctx.output(1) : nullptr,
                                      adaptive_window(data.shape(), out.shape()));
}

void register_pooling(OpRegistry& registry) {
  registry.add<v1::AvgPool>();
  registry.add<v14::AvgPool>();
  registry.add<v16::AvgPool>();
  registry.add<v1::MaxPool>();
  registry.add<v8::MaxPool>();
  registry.add<v14::MaxPool>();
  registry.add<AdaptiveAvgPool>();
  registry.add<AdaptiveMaxPool>();
}

}  // namespace mo::ops
