#include <algorithm>

#include "frontends/tensorflow/ops/support/pooling.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"

namespace mo::tensorflow {
namespace {

Extractor average_pool(std::size_t axes) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    SpatialWindow window;
    MO_ASSIGN(window.layout, read_layout(node, axes));
    MO_ASSIGN(window.kernel, read_spatial(node, "ksize", axes, window.layout));
    MO_ASSIGN(window.strides, read_spatial(node, "strides", axes, window.layout));
    MO_TRY(read_padding(node, axes, window));
    return pooling<ops::v1::AvgPool>(std::move(window));
  };
}

/// TensorFlow MaxPool: a window lies over the spatial dimensions, or over the channels, which it then divides. The
/// largest of each k neighbouring channels: [N, H, W, C] -> [N, H, W, C / k, k] -> ReduceMax
Replacement max_pool_over_channels(const FrameworkNode& node, Rewriter& rw, const DimensionNumbers& kernel,
                                   const DimensionNumbers& strides, DataLayout layout) {
  const auto has_others = [](const std::vector<std::int64_t>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n != 1; });
  };
  if (layout != DataLayout::channels_last || kernel.channels != strides.channels || has_others(kernel.spatial) ||
      has_others(strides.spatial))
    return node
        .error("MO-TF-0625", "a window of {} channels with stride {} cannot be expressed", kernel.channels,
               strides.channels)
        .hint("windows over channels must not overlap, be one pixel large and have channels-last data");
  std::vector<std::int64_t> apart(kernel.spatial.size() + 1, 0);
  apart.insert(apart.end(), {-1, kernel.channels});
  const Value parts = rw.create(ops::Reshape{.special_zero = true}, node.input(0), rw.integers(apart));
  return rw.create(ops::ReduceMax{.keep_dims = false}, parts,
                   rw.integers({static_cast<std::int64_t>(apart.size()) - 1}));
}

Translator max_pool(std::size_t axes) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(1));
    SpatialWindow window;
    MO_ASSIGN(window.layout, read_layout(node, axes));
    MO_ASSIGN(DimensionNumbers kernel, read_numbers(node, "ksize", axes, window.layout));
    MO_ASSIGN(DimensionNumbers strides, read_numbers(node, "strides", axes, window.layout));
    MO_TRY(read_padding(node, axes, window));
    if (kernel.batch != 1 || strides.batch != 1)
      return node.error("MO-TF-0624", "ksize is {} and strides is {} for the batch", kernel.batch, strides.batch)
          .hint("only windows over the other dimensions are possible");
    if (kernel.channels != 1) return max_pool_over_channels(node, rw, kernel, strides, window.layout);
    if (strides.channels != 1)
      return node.error("MO-TF-0624", "strides is {} for the channels, ksize is 1", strides.channels)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    window.kernel = std::move(kernel.spatial);
    window.strides = std::move(strides.spatial);
    return rw.create(pooling<ops::v8::MaxPool>(std::move(window)), node.input(0));
  };
}

/// The spatial numbers of a list with one for each dimension. Errors: MO-TF-0627 (not known), MO-TF-0622 (no such
/// list), MO-TF-0624 (a window over batch or channels).
Expected<std::vector<std::int64_t>> spatial_input(const FrameworkNode& node, std::size_t i, std::string_view name,
                                                  DataLayout layout) {
  const auto numbers = integers_of(node.input(i));
  if (!numbers)
    return node.error("MO-TF-0627", "{} is computed in the model", name)
        .hint("make it a constant of the model: the IR has it as an attribute");
  if (numbers->size() != 4 || std::any_of(numbers->begin(), numbers->end(), [](std::int64_t n) { return n < 1; }))
    return node.error("MO-TF-0622", "{} is {}, expected four positive integers", name, to_string(*numbers))
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const std::size_t channels = channel_axis(layout, 2);
  if ((*numbers)[0] != 1 || (*numbers)[channels] != 1)
    return node
        .error("MO-TF-0624", "{} is {} for the batch and {} for the channels", name, (*numbers)[0],
               (*numbers)[channels])
        .hint("only windows over the spatial dimensions are possible");
  const std::size_t first = layout == DataLayout::channels_last ? 1 : 2;
  return std::vector<std::int64_t>{(*numbers)[first], (*numbers)[first + 1]};
}

/// MaxPoolV2(x, ksize, strides) -> MaxPool(x)
template <class T>
Replacement pool_with_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  SpatialWindow window;
  MO_ASSIGN(window.layout, read_layout(node, 2));
  MO_TRY(read_padding(node, 2, window));
  if (window.auto_pad == ops::AutoPad::explicit_pads)
    return node.error("MO-TF-0623", "padding is \"EXPLICIT\"").hint("this op takes SAME and VALID");
  MO_ASSIGN(window.kernel, spatial_input(node, 1, "ksize", window.layout));
  MO_ASSIGN(window.strides, spatial_input(node, 2, "strides", window.layout));
  return rw.create(pooling<T>(std::move(window)), node.input(0));
}

/// TensorFlow MaxPoolWithArgmax: the place of a maximum is (y * W + x) * C + c in its image, or ((b * H + y) * W + x) *
/// C + c in the batch. MaxPool-8 flattened from axis 2 on (of channels-first data) tells y * W + x.
Replacement max_pool_with_argmax(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  SpatialWindow window;  // channels last: the op has no data_format
  MO_ASSIGN(window.kernel, read_spatial(node, "ksize", 2, window.layout));
  MO_ASSIGN(window.strides, read_spatial(node, "strides", 2, window.layout));
  MO_TRY(read_padding(node, 2, window));
  const ElementType type = node.attr("Targmax", ElementType::i64);
  const bool include_batch = node.attr("include_batch_in_index", false);
  auto op = pooling<ops::v8::MaxPool>(std::move(window));
  op.axis = 2;
  const Value x = node.input(0);
  const Node pool = rw.create_node(std::move(op), {x});
  if (!node.output_used(1)) return pool.output(0);
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value one = rw.scalar<std::int64_t>(1);
  const Value channels = dimension_of(rw, x, 3);
  const Value channel = rw.create(ops::Range{.output_type = ElementType::i64}, zero, channels, one);
  Value index = rw.create(ops::Add{}, rw.create(ops::Multiply{}, pool.output(1), channels), channel);
  if (include_batch) {
    const Value image = rw.create(ops::Range{.output_type = ElementType::i64}, zero, dimension_of(rw, x, 0), one);
    const Value area = rw.create(ops::Multiply{}, dimension_of(rw, x, 1), dimension_of(rw, x, 2));
    const Value begin = rw.create(ops::Multiply{}, image, rw.create(ops::Multiply{}, area, channels));
    index = rw.create(ops::Add{}, index, rw.create(ops::Reshape{}, begin, rw.integers({-1, 1, 1, 1})));
  }
  return Outputs{pool.output(0), as_type(rw, index, type)};
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.translate("MaxPool", max_pool(2));
  table.translate("MaxPool3D", max_pool(3));
  table.translate("MaxPoolV2", pool_with_inputs<ops::v8::MaxPool>);
  table.translate("MaxPoolWithArgmax", max_pool_with_argmax);
  table.extract("AvgPool", average_pool(2));
  table.extract("AvgPool3D", average_pool(3));
  table.translate("AvgPoolV2", pool_with_inputs<ops::v1::AvgPool>);
}

}  // namespace mo::tensorflow
