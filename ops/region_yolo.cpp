#include "ops/region_yolo.hpp"

#include <algorithm>
#include <cmath>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kLargestYoloCount = 1 << 24;

float yolo_sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

/// Soft-max over `count` rows of `area` elements, element by element of a row.
void yolo_softmax(const float* in, float* out, std::int64_t count, std::int64_t area) {
  for (std::int64_t i = 0; i < area; ++i) {
    float largest = in[i];
    for (std::int64_t k = 1; k < count; ++k) largest = std::max(largest, in[k * area + i]);
    float sum = 0;
    for (std::int64_t k = 0; k < count; ++k) sum += out[k * area + i] = std::exp(in[k * area + i] - largest);
    for (std::int64_t k = 0; k < count; ++k) out[k * area + i] /= sum;
  }
}

}  // namespace

Expected<void> RegionYolo::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  if (coords < 2 || classes < 0 || num < 0 || coords > kLargestYoloCount || classes > kLargestYoloCount ||
      num > kLargestYoloCount)
    return ctx.error("MO-OPS-0460", "coords {}, classes {}, num {} are not possible", coords, classes, num)
        .hint("coords is 4 for boxes; check the anchors of the model");
  const TensorType& data = ctx.input(0);
  if (!do_softmax) {
    const Dimension channels = (classes + coords + 1) * static_cast<std::int64_t>(mask.size());
    PartialShape shape = data.shape.has_rank() ? data.shape : PartialShape::of_rank(4);
    shape[1] = channels;
    ctx.output(0, data.element_type, std::move(shape));
    return {};
  }
  MO_ASSIGN(const std::int64_t first, normalize_axis(ctx, axis, 4));
  MO_ASSIGN(const std::int64_t last, normalize_axis(ctx, end_axis, 4));
  if (last < first)
    return ctx.error("MO-OPS-0461", "end_axis {} is before axis {}", end_axis, axis)
        .hint("the dimensions from axis to end_axis become one");
  PartialShape shape{std::vector<Dimension>()};
  const PartialShape from = data.shape.has_rank() ? data.shape : PartialShape::of_rank(4);
  for (std::int64_t i = 0; i < 4; ++i) {
    const Dimension& d = from[static_cast<std::size_t>(i)];
    if (i > first && i <= last)
      shape.dims().back() = shape.dims().back() * d;
    else
      shape.dims().push_back(d);
  }
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

Expected<void> RegionYolo::evaluate(EvalContext& ctx) const {
  const Shape& shape = ctx.input(0).shape();
  const std::int64_t regions = do_softmax ? num : static_cast<std::int64_t>(mask.size());
  const std::int64_t entries = coords + classes + 1;
  if (shape[1] != regions * entries)
    return ctx.error("MO-OPS-0462", "{} channels are not {} regions of {} entries", shape[1], regions, entries)
        .hint("check coords, classes, num and mask");
  MO_ASSIGN(const Tensor data, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(Tensor out, Tensor::allocate(ElementType::f32, shape));
  const std::int64_t area = shape[2] * shape[3];
  const float* in = data.values<float>().data();
  float* to = out.mutable_values<float>().data();
  std::copy_n(in, data.element_count(), to);
  for (std::int64_t r = 0; r < shape[0] * regions; ++r, in += entries * area, to += entries * area) {
    std::transform(in, in + 2 * area, to, yolo_sigmoid);
    const std::int64_t scores = coords + 1;
    std::transform(in + coords * area, in + (do_softmax ? scores : entries) * area, to + coords * area, yolo_sigmoid);
    if (do_softmax && classes > 0) yolo_softmax(in + scores * area, to + scores * area, classes, area);
  }
  MO_ASSIGN(out, convert(out, ctx.input(0).element_type()));
  ctx.set_output(0, out.reshaped(ctx.output(0).shape()));
  return {};
}

void register_region_yolo(OpRegistry& registry) { registry.add<RegionYolo>(); }

}  // namespace mo::ops
