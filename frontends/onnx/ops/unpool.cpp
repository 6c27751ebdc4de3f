#include <numeric>

#include "frontends/onnx/ops/support/pooling.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"

namespace mo::onnx {
namespace {

/// MaxUnpool-9: inputs x, places, and perhaps the shape of the result. The places count the elements of a tensor whose
/// spatial dimensions are (size - 1) * stride + kernel - pads; with a shape (as ONNX's reference and its tests do it)
/// that tensor is put at the begin of a larger one of zeros. Opset 11 only says more about types.
Replacement max_unpool(const FrameworkNode& node, Rewriter& rw) {
  using Integers = std::vector<std::int64_t>;
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Window window, pooling_window(node));
  const Value x = node.input(0);
  const std::size_t count = window.spatial_rank();
  if (const auto rank = x.type().shape.rank(); rank && *rank != static_cast<std::int64_t>(count) + 2)
    return node.error("MO-ONNX-0404", "{} spatial axes for a tensor of {} dimensions", count, *rank)
        .hint("kernel_shape has one number for each dimension after batch and channel");
  Integers last_window = window.kernel;
  for (std::size_t i = 0; i < count; ++i) last_window[i] -= window.pads_begin[i] + window.pads_end[i];
  Integers axes(count);
  std::iota(axes.begin(), axes.end(), 2);
  const Value shape = shape_of(rw, x);
  const auto sizes = [&](const Integers& at) {
    return rw.create(ops::Gather{}, shape, rw.integers(at), rw.scalar<std::int64_t>(0));
  };
  const Value steps = rw.create(ops::Subtract{}, sizes(axes), rw.integers(Integers(count, 1)));
  const Value spatial =
      rw.create(ops::Add{}, rw.create(ops::Multiply{}, steps, rw.integers(window.strides)), rw.integers(last_window));
  const Value unpooled = join(rw, {sizes({0, 1}), spatial});
  const Value elements = rw.create(ops::ReduceProd{.keep_dims = true}, unpooled, rw.integers({0}));
  const Value zero = number_like(rw, x, 0);
  const Value scattered =
      rw.create(ops::v3::ScatterElementsUpdate{}, repeat(rw, zero, elements), flattened(rw, as_i64(rw, node.input(1))),
                flattened(rw, x), rw.scalar<std::int64_t>(0));
  const Value y = rw.create(ops::Reshape{}, scattered, unpooled);
  if (!node.input(2)) return y;
  const Value missing = rw.create(ops::Subtract{}, as_i64(rw, node.input(2)), unpooled);
  return rw.create(ops::v1::Pad{}, y, rw.integers(Integers(count + 2, 0)), missing, zero);
}

}  // namespace

void register_unpool(OperatorTable& table) { table.translate("MaxUnpool", since(9), max_unpool); }

}  // namespace mo::onnx
