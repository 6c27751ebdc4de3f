#include "ops/reorg_yolo.hpp"

#include <fmt/format.h>

#include <cstring>

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> ReorgYolo::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType t) { return bit_width(t) >= 8; }, "a type of at least 8 bits"));
  constexpr std::int64_t kLargest = 1 << 16;
  const bool equal = stride.size() == 1 || (stride.size() == 2 && stride[0] == stride[1]);
  if (!equal || stride[0] < 1 || stride[0] > kLargest)
    return ctx.error("MO-OPS-0463", "the stride is [{}]", fmt::join(stride, ", "))
        .hint("the stride is one number from 1 to {}", kLargest);
  const std::int64_t s = stride[0];
  PartialShape shape = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(4);
  for (const std::size_t i : {2, 3})
    if (shape[i].is_known() && shape[i].value() % s != 0)
      return ctx.error("MO-OPS-0464", "dimension {} of {} is not a multiple of the stride {}", i, shape.to_string(), s)
          .hint("check --input_shape");
  if (shape[1].is_known() && shape[1].value() % (s * s) != 0)
    return ctx.error("MO-OPS-0464", "{} channels are not a multiple of the stride {} squared", shape[1].value(), s)
        .hint("check the channels before this op");
  shape[1] = shape[1] * Dimension(s * s);
  shape[2] = shape[2].floor_div(s);
  shape[3] = shape[3].floor_div(s);
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> ReorgYolo::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  const Shape& shape = data.shape();
  const std::int64_t s = stride[0];
  const std::size_t width = bit_width(data.element_type()) / 8;
  const std::byte* in = data.bytes().data();
  std::byte* out = ctx.output(0).mutable_bytes().data();
  // Darknet reads the data as [N, C/(s*s), H*s, W*s] and cuts that into blocks.
  const std::int64_t groups = shape[1] / (s * s);
  for (std::int64_t n = 0; n < shape[0]; ++n)
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const std::int64_t block = c / groups;
      for (std::int64_t h = 0; h < shape[2]; ++h)
        for (std::int64_t w = 0; w < shape[3]; ++w, out += width) {
          const std::int64_t row = (n * groups + c % groups) * shape[2] * s + h * s + block / s;
          std::memcpy(out, in + static_cast<std::size_t>(row * shape[3] * s + w * s + block % s) * width, width);
        }
    }
  return {};
}

void register_reorg_yolo(OpRegistry& registry) { registry.add<ReorgYolo>(); }

}  // namespace mo::ops
