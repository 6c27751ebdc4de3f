#include "ops/extract_image_patches.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/patches.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

/// No image is that large; extents of patches do not overflow.
constexpr std::int64_t kLargestWindow = std::int64_t{1} << 30;

bool valid_pair(const std::vector<std::int64_t>& pair) {
  return pair.size() == 2 &&
         std::all_of(pair.begin(), pair.end(), [](std::int64_t v) { return v >= 1 && v <= kLargestWindow; });
}

/// From the first to the last element of a patch.
std::int64_t extent(const ExtractImagePatches& op, std::size_t i) { return (op.sizes[i] - 1) * op.rates[i] + 1; }

}  // namespace

Expected<void> ExtractImagePatches::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  if (!valid_pair(sizes) || !valid_pair(strides) || !valid_pair(rates))
    return ctx.error("MO-OPS-0220", "sizes, strides and rates must each be two positive integers")
        .hint("give them for height and width, as in sizes=\"3,3\"");
  const TensorType& data = ctx.input(0);
  PartialShape shape = PartialShape::of_rank(4);
  if (data.shape.has_rank()) {
    shape = data.shape;
    shape[1] = shape[1] * sizes[0] * sizes[1];
    for (std::size_t i = 0; i < 2; ++i) {
      Dimension& d = shape[2 + i];
      // valid: a patch lies inside of the image: ceil((size - extent + 1) / stride).
      d = (auto_pad == PatchPadding::valid ? d - (extent(*this, i) - 1) : d).ceil_div(strides[i]);
    }
  }
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

Expected<void> ExtractImagePatches::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  reference::PatchWindow windows[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t count = ctx.output(0).shape()[2 + i];
    const std::int64_t outside =
        auto_pad == PatchPadding::valid
            ? 0
            : std::max<std::int64_t>(0, (count - 1) * strides[i] + extent(*this, i) - data.shape()[2 + i]);
    windows[i] = {sizes[i], strides[i], rates[i],
                  auto_pad == PatchPadding::same_lower ? outside - outside / 2 : outside / 2};
  }
  reference::extract_patches(data, windows[0], windows[1], ctx.output(0));
  return {};
}

void register_extract_image_patches(OpRegistry& registry) { registry.add<ExtractImagePatches>(); }

}  // namespace mo::ops
