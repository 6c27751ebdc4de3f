#include "ops/pooling.hpp"

#include <limits>

#include "extensions/front/caffe/layer_inputs.hpp"
#include "extensions/support/front_shapes.hpp"
#include "extensions/support/term.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"
#include "ops/top_k.hpp"

namespace mo::front::caffe {
namespace {

using ops::RoundingType;
using ops::TorchRoundingType;

struct PoolingWindow {
  Integers kernel;
  Integers strides;
  Integers pads;
  /// floor: every window lies in the padded data. ceil: the last one may stick out. ceil_torch: that one is left out where it would start
  /// behind the data and its first padding, which Caffe does only when some axis has padding.
  TorchRoundingType rounding = TorchRoundingType::floor;
};

PoolingWindow window_of(const Node& node) {
  PoolingWindow window{list_of(node, "kernel"), list_of(node, "strides"), list_of(node, "pads")};
  const bool dense = std::all_of(window.strides.begin(), window.strides.end(), [](std::int64_t stride) { return stride == 1; });
  const bool padded = std::any_of(window.pads.begin(), window.pads.end(), [](std::int64_t pad) { return pad > 0; });
  // With strides of 1 the windows fit exactly.
  if (flag_of(node, "ceil") && !dense) window.rounding = padded ? TorchRoundingType::ceil_torch : TorchRoundingType::ceil;
  return window;
}

template <class T>
T pooling(const PoolingWindow& window) {
  T op;
  op.kernel = window.kernel;
  op.strides = window.strides;
  op.pads_begin = window.pads;
  op.pads_end = window.pads;
  if constexpr (std::is_same_v<decltype(op.rounding_type), TorchRoundingType>)
    op.rounding_type = window.rounding;
  else
    op.rounding_type = window.rounding == TorchRoundingType::floor ? RoundingType::floor : RoundingType::ceil;
  return op;
}

/// The oldest class that has the rounding.
Node max_pool(Rewriter& rw, const Value& x, const PoolingWindow& window) {
  const auto indexed_in_plane = [](auto op) {
    op.axis = 2;
    return op;
  };
  if (window.rounding == TorchRoundingType::ceil_torch) return rw.create_node(indexed_in_plane(pooling<ops::v14::MaxPool>(window)), {x});
  return rw.create_node(indexed_in_plane(pooling<ops::v8::MaxPool>(window)), {x});
}

/// Caffe AVE divides by the part of the window that lies in the padded data. Without padding that is what lies in the data.
Value average_pool(Rewriter& rw, const Value& x, const PoolingWindow& window) {
  if (window.rounding == TorchRoundingType::ceil_torch) return rw.create(pooling<ops::v14::AvgPool>(window), x);
  auto op = pooling<ops::v1::AvgPool>(window);
  op.exclude_pad = std::all_of(window.pads.begin(), window.pads.end(), [](std::int64_t pad) { return pad == 0; });
  return rw.create(std::move(op), x);
}

/// Caffe STOCHASTIC in the test phase: the mean of the elements, weighted by themselves; 0 where all are 0.
Value weighted_mean(Rewriter& rw, const Value& squares, const Value& mean) {
  const Term divisor(rw, mean, ElementType::f32);
  const Term ratio = Term(rw, squares, ElementType::f32) / divisor;
  return choose(equal(divisor, 0), divisor.number(0), ratio);
}

Value as_real(Rewriter& rw, const Value& integers) { return rw.create(ops::Convert{.destination_type = ElementType::f32}, integers); }

Replacement window_pooling(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const PoolingWindow window = window_of(node);
  const std::string method = text_of(node, "method");
  if (method == "AVE") return average_pool(rw, x, window);
  if (method == "STOCHASTIC") return weighted_mean(rw, average_pool(rw, rw.create(ops::Multiply{}, x, x), window), average_pool(rw, x, window));
  const Node pool = max_pool(rw, x, window);
  // The mask is a blob as all others: the places in the plane as real numbers.
  if (node.out_port_count() > 1) return Outputs{pool.output(0), as_real(rw, pool.output(1))};
  return pool.output(0);
}

/// One window over the whole image.
Replacement global_pooling(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const std::string method = text_of(node, "method");
  if (node.out_port_count() > 1) {
    const Value flat = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, 0, -1}));
    const Node best = rw.create_node(ops::TopK{.axis = 2}, {flat, rw.scalar<std::int64_t>(1)});
    const Value image = rw.integers({0, 0, 1, 1});
    return Outputs{rw.create(ops::Reshape{.special_zero = true}, best.output(0), image),
                   rw.create(ops::Reshape{.special_zero = true}, as_real(rw, best.output(1)), image)};
  }
  const Value axes = layer_axes_from(rw, x, 2);
  if (method == "MAX") return rw.create(ops::ReduceMax{.keep_dims = true}, x, axes);
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  if (method == "AVE") return mean;
  return weighted_mean(rw, rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, x, x), axes), mean);
}

/// One axis of a level of the pyramid, as vectors of one element. Caffe: `bins` windows of equal size without overlap; what the data lacks
/// for that is padding, the odd element in front.
struct Bins {
  Term size;
  Term before;
  Term behind;
};

Bins bins_along(Rewriter& rw, const Value& x, std::int64_t axis, double bins) {
  const Term length(rw, length_along(rw, x, axis), ElementType::i64);
  const Term size = (length + (bins - 1)) / bins;
  const Term missing = size * bins - length;
  const Term before = (missing + 1) / 2;
  return {size, before, missing - before};
}

/// Windows without overlap are dimensions of their own: pad, [N, C, bins, height, bins, width], and reduce those.
Value pyramid_level(Rewriter& rw, const Value& x, std::int64_t bins, bool maximum) {
  const Bins rows = bins_along(rw, x, 2, static_cast<double>(bins));
  const Bins columns = bins_along(rw, x, 3, static_cast<double>(bins));
  const Value none = rw.integers({0, 0});
  const Value padding = real(rw, maximum ? std::numeric_limits<float>::lowest() : 0);
  const Value padded =
      rw.create(ops::v1::Pad{}, x, join(rw, {none, rows.before, columns.before}), join(rw, {none, rows.behind, columns.behind}), padding);
  const Value windows =
      rw.create(ops::Reshape{.special_zero = true}, padded, join(rw, {rw.integers({0, 0, bins}), rows.size, rw.integers({bins}), columns.size}));
  const Value inside = rw.integers({3, 5});
  const Value pooled = maximum ? rw.create(ops::ReduceMax{}, windows, inside) : rw.create(ops::ReduceMean{}, windows, inside);
  return rw.create(ops::Reshape{.special_zero = true}, pooled, rw.integers({0, -1}));
}

Replacement spatial_pyramid(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const bool maximum = text_of(node, "method") == "MAX";
  const std::int64_t levels = integer_of(node, "levels", 1);
  const Value axes = rw.integers({2, 3});
  const Value whole = maximum ? rw.create(ops::ReduceMax{.keep_dims = true}, x, axes) : rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  // Caffe: a pyramid of one level is that pooling, not flattened.
  if (levels == 1) return whole;
  std::vector<Value> parts = {rw.create(ops::Reshape{.special_zero = true}, whole, rw.integers({0, -1}))};
  for (std::int64_t level = 1; level < levels; ++level) parts.push_back(pyramid_level(rw, x, std::int64_t{1} << level, maximum));
  return rw.create(ops::Concat{.axis = 1}, parts);
}

}  // namespace

void register_pooling(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffePooling").replace_op(window_pooling));
  passes.add(front_replacement_op("CaffeGlobalPooling").replace_op(global_pooling));
  passes.add(front_replacement_op("CaffeSPP").replace_op(spatial_pyramid));
}

}  // namespace mo::front::caffe
