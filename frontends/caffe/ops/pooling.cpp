#include "ops/pooling.hpp"

#include <algorithm>
#include <limits>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/top_k.hpp"

namespace mo::caffe {
namespace {

using ops::RoundingType;
using ops::TorchRoundingType;

Expected<std::string> pooling_method(const Layer& layer, std::string_view path) {
  const std::string method = layer.text(path, "MAX", {"MAX", "AVE", "STOCHASTIC"});
  if (method == "MAX" || method == "AVE" || method == "STOCHASTIC") return method;
  return bad_value(layer, path, method, "one of MAX, AVE, STOCHASTIC");
}

/// Whether a last window that does not fit completely counts. Caffe's `round_mode` and the older `ceil_mode` of forks:
/// yes by default.
Expected<bool> rounds_up(const Layer& layer) {
  const std::string mode = layer.text("pooling_param.round_mode", "CEIL", {"CEIL", "FLOOR"});
  if (mode != "CEIL" && mode != "FLOOR")
    return bad_value(layer, "pooling_param.round_mode", mode, "one of CEIL, FLOOR");
  const bool ceil_mode = layer.flag("pooling_param.ceil_mode", true);
  return mode == "CEIL" && ceil_mode;
}

/// One number is meant for both axes; Caffe pools images.
void spread(Integers& numbers, std::size_t axes, std::int64_t usual) {
  if (numbers.empty()) numbers.push_back(usual);
  if (numbers.size() == 1) numbers.assign(axes, std::int64_t{numbers.front()});
}

struct PoolingWindow {
  Integers kernel;
  Integers strides;
  Integers pads;
  /// floor: every window lies in the padded data. ceil: the last one may stick out. ceil_torch: that one is left out
  /// where it would start beyond the data and its leading padding, which Caffe does only when some axis has padding.
  TorchRoundingType rounding = TorchRoundingType::floor;
};

Expected<PoolingWindow> pooling_window(const Layer& layer, std::string_view method, bool rounds_up) {
  constexpr std::string_view kMessage = "pooling_param";
  PoolingWindow window;
  Integers& kernel = window.kernel;
  Integers& strides = window.strides;
  Integers& pads = window.pads;
  MO_ASSIGN(kernel, window_numbers(layer, kMessage, "kernel_size", "kernel", 1));
  if (kernel.empty())
    return layer.error("MO-CAFFE-0102", "kernel_size is missing")
        .hint("give kernel_size, kernel_h and kernel_w, or global_pooling");
  MO_ASSIGN(strides, window_numbers(layer, kMessage, "stride", "stride", 1));
  MO_ASSIGN(pads, window_numbers(layer, kMessage, "pad", "pad", 0));
  const std::size_t axes = std::max<std::size_t>({kernel.size(), 2});
  spread(kernel, axes, 1);
  spread(strides, axes, 1);
  spread(pads, axes, 0);
  if (strides.size() != axes || pads.size() != axes)
    return layer
        .error("MO-CAFFE-0102", "the kernel has {} axes, stride has {} and pad has {}", axes, strides.size(),
               pads.size())
        .hint("give one number, or one for each axis");
  for (std::size_t i = 0; i < axes; ++i)
    if (pads[i] >= kernel[i])
      return layer.error("MO-CAFFE-0102", "pad {} is not smaller than the kernel {}", pads[i], kernel[i])
          .hint("Caffe does not pool padding alone");
  const bool padded = std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad > 0; });
  if (method == "STOCHASTIC" && padded)
    return layer.error("MO-CAFFE-0102", "STOCHASTIC pooling with pad").hint("Caffe pads for MAX and AVE only");
  // With strides of 1 the windows fit exactly.
  const bool dense = std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 1; });
  if (rounds_up && !dense) window.rounding = padded ? TorchRoundingType::ceil_torch : TorchRoundingType::ceil;
  return window;
}

template <class T>
T pooling_op(const PoolingWindow& window) {
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
  if (window.rounding == TorchRoundingType::ceil_torch)
    return rw.create_node(indexed_in_plane(pooling_op<ops::v14::MaxPool>(window)), {x});
  return rw.create_node(indexed_in_plane(pooling_op<ops::v8::MaxPool>(window)), {x});
}

/// Caffe AVE divides by the part of the window that lies in the padded data. Without padding that is what lies in the
/// data.
Value average_pool(Rewriter& rw, const Value& x, const PoolingWindow& window) {
  if (window.rounding == TorchRoundingType::ceil_torch) return rw.create(pooling_op<ops::v14::AvgPool>(window), x);
  auto op = pooling_op<ops::v1::AvgPool>(window);
  op.exclude_pad = std::all_of(window.pads.begin(), window.pads.end(), [](std::int64_t pad) { return pad == 0; });
  return rw.create(std::move(op), x);
}

/// Caffe STOCHASTIC in the test phase: the mean of the elements, weighted by themselves; 0 where all are 0.
Value weighted_mean(Rewriter& rw, const Value& squares, const Value& mean) {
  const Term divisor(rw, mean, ElementType::f32);
  const Term ratio = Term(rw, squares, ElementType::f32) / divisor;
  return choose(equal(divisor, 0), divisor.number(0), ratio);
}

Value window_average(Rewriter& rw, const Value& x, const PoolingWindow& window, std::string_view method) {
  const Value mean = average_pool(rw, x, window);
  return method == "AVE" ? mean : weighted_mean(rw, average_pool(rw, rw.create(ops::Multiply{}, x, x), window), mean);
}

/// One window over the whole image.
Replacement global_pooling(const Layer& layer, Rewriter& rw, std::string_view method) {
  for (const char* name :
       {"pad", "pad_h", "pad_w", "stride", "stride_h", "stride_w", "kernel_size", "kernel_h", "kernel_w"})
    layer.node().ignore({fmt::format("pooling_param.{}", name)}, "the window of global pooling is the whole image");
  const Value x = layer.bottom(0);
  if (layer.node().output_count() > 1) {
    const Value flat = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, 0, -1}));
    const Node best = rw.create_node(ops::TopK{.axis = 2}, {flat, rw.scalar<std::int64_t>(1)});
    const Value image = rw.integers({0, 0, 1, 1});
    return Outputs{rw.create(ops::Reshape{.special_zero = true}, best.output(0), image),
                   rw.create(ops::Reshape{.special_zero = true}, as_type(rw, best.output(1), ElementType::f32), image)};
  }
  const Value axes = axes_from(rw, x, 2);
  if (method == "MAX") return rw.create(ops::ReduceMax{.keep_dims = true}, x, axes);
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  if (method == "AVE") return mean;
  return weighted_mean(rw, rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, x, x), axes), mean);
}

Replacement pooling(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_ASSIGN(const std::string method, pooling_method(layer, "pooling_param.pool"));
  // The second top of MAX holds the places of the maxima.
  MO_TRY(expect_tops(layer, 1, method == "MAX" ? 2 : 1));
  MO_ASSIGN(const bool ceil, rounds_up(layer));
  if (layer.flag("pooling_param.global_pooling", false)) return global_pooling(layer, rw, method);
  MO_ASSIGN(const PoolingWindow window, pooling_window(layer, method, ceil));
  if (method != "MAX") return window_average(rw, layer.bottom(0), window, method);
  const Node pool = max_pool(rw, layer.bottom(0), window);
  // The mask is a blob as all others: the places in the plane as real numbers.
  if (node.output_count() > 1) return Outputs{pool.output(0), as_type(rw, pool.output(1), ElementType::f32)};
  return pool.output(0);
}

/// One axis of a level of the pyramid, as vectors of one element. Caffe: `bins` windows of equal size without overlap;
/// what the data lacks for that is padding, the odd element in front.
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
  const Value padded = rw.create(ops::v1::Pad{}, x, join(rw, {none, rows.before, columns.before}),
                                 join(rw, {none, rows.behind, columns.behind}), padding);
  const Value windows = rw.create(ops::Reshape{.special_zero = true}, padded,
                                  join(rw, {rw.integers({0, 0, bins}), rows.size, rw.integers({bins}), columns.size}));
  const Value inside = rw.integers({3, 5});
  const Value pooled =
      maximum ? rw.create(ops::ReduceMax{}, windows, inside) : rw.create(ops::ReduceMean{}, windows, inside);
  return rw.create(ops::Reshape{.special_zero = true}, pooled, rw.integers({0, -1}));
}

/// Caffe SPP: level i of the pyramid pools into 2^i * 2^i bins.
Replacement spatial_pyramid(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  constexpr std::int64_t kMostLevels = 10;
  const std::int64_t levels = layer.integer("spp_param.pyramid_height", 0);
  if (levels < 1 || levels > kMostLevels)
    return bad_value(layer, "spp_param.pyramid_height", levels, fmt::format("a number from 1 to {}", kMostLevels));
  MO_ASSIGN(const std::string method, pooling_method(layer, "spp_param.pool"));
  if (method == "STOCHASTIC")
    return bad_value(layer, "spp_param.pool", method, "MAX or AVE; a stochastic pyramid is not supported");
  const bool maximum = method == "MAX";
  const Value x = layer.bottom(0);
  const Value axes = rw.integers({2, 3});
  const Value whole = maximum ? rw.create(ops::ReduceMax{.keep_dims = true}, x, axes)
                              : rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  // Caffe: a pyramid of one level is that pooling, not flattened.
  if (levels == 1) return whole;
  std::vector<Value> parts = {rw.create(ops::Reshape{.special_zero = true}, whole, rw.integers({0, -1}))};
  for (std::int64_t level = 1; level < levels; ++level)
    parts.push_back(pyramid_level(rw, x, std::int64_t{1} << level, maximum));
  return rw.create(ops::Concat{.axis = 1}, parts);
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.translate("Pooling", pooling);
  table.translate("SPP", spatial_pyramid);
}

}  // namespace mo::caffe
