#include <numeric>

#include "extensions/support/front_shapes.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// ONNX MaxUnpool-9: inputs x, places, and perhaps the shape of the result. The places count the elements of a tensor whose spatial
/// dimensions are (size - 1) * stride + kernel - pads; with a shape (as ONNX's reference and its tests do it) that tensor is put at the begin
/// of a larger one of zeros.
Replacement replace_max_unpool(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value places = node.input(1);
  const auto strides = node.attr<Integers>("strides").value_or(Integers{});
  const auto last_window = node.attr<Integers>("last_window").value_or(Integers{});
  if (!x || !places || strides.size() != last_window.size()) return missing_input(node);
  if (const auto rank = known_shape(x).rank(); rank && *rank != static_cast<std::int64_t>(strides.size()) + 2)
    return node.error("MO-ONNX-0404", "{} spatial axes for a tensor of {} dimensions", strides.size(), *rank)
        .hint("kernel_shape has one number for each dimension behind batch and channel");
  Integers axes(strides.size());
  std::iota(axes.begin(), axes.end(), 2);
  const Value shape = shape_of(rw, x);
  const auto sizes = [&](const Integers& at) { return rw.create(ops::Gather{}, shape, rw.integers(at), rw.scalar<std::int64_t>(0)); };
  const Value steps = rw.create(ops::Subtract{}, sizes(axes), rw.integers(Integers(axes.size(), 1)));
  const Value spatial = rw.create(ops::Add{}, rw.create(ops::Multiply{}, steps, rw.integers(strides)), rw.integers(last_window));
  const Value unpooled = join(rw, {sizes({0, 1}), spatial});
  const Value count = rw.create(ops::ReduceProd{.keep_dims = true}, unpooled, rw.integers({0}));
  const Value zero = number_like(rw, x, 0);
  const Value scattered = rw.create(ops::v3::ScatterElementsUpdate{}, repeat(rw, zero, count), flattened(rw, as_i64(rw, places)), flattened(rw, x),
                                    rw.scalar<std::int64_t>(0));
  const Value y = rw.create(ops::Reshape{}, scattered, unpooled);
  if (!node.input(2)) return y;
  const Value missing = rw.create(ops::Subtract{}, as_i64(rw, node.input(2)), unpooled);
  return rw.create(ops::Pad{}, y, rw.integers(Integers(axes.size() + 2, 0)), missing, zero);
}

}  // namespace

void register_unpool(PassRegistry& passes) { passes.add(front_replacement_op("OnnxMaxUnpool").replace_op(replace_max_unpool)); }

}  // namespace mo::front::onnx
