#include "frontends/tensorflow/ops/support/convolution.hpp"

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// TensorFlow Conv2D has as many groups as the filters [spatial…, C / G, O] fit into the channels of the data. Where
/// the shapes leave that open, there is one group: the filters must fit at run time then.
std::int64_t groups_of(const PartialShape& data, const PartialShape& filters, const SpatialWindow& window) {
  const std::size_t axes = window.spatial_rank();
  if (!data.has_rank() || data.size() != axes + 2 || !filters.has_rank() || filters.size() != axes + 2) return 1;
  const Dimension& all = data[channel_axis(window.layout, axes)];
  const Dimension& each = filters[axes];
  if (!all.is_known() || !each.is_known() || all.value() < 1 || each.value() < 1 || all.value() % each.value() != 0)
    return 1;
  const std::int64_t groups = all.value() / each.value();
  const Dimension& results = filters[axes + 1];
  return results.is_known() && results.value() % groups != 0 ? 1 : groups;  // the convolution says what is wrong
}

}  // namespace

Expected<SpatialWindow> convolution_window(const FrameworkNode& node, std::size_t axes) {
  node.ignore({"use_cudnn_on_gpu"}, "which kernels compute it");
  SpatialWindow window;
  MO_ASSIGN(window.layout, read_layout(node, axes));
  MO_ASSIGN(window.strides, read_spatial(node, "strides", axes, window.layout));
  const std::vector<std::int64_t> ones(axes + 2, 1);
  MO_ASSIGN(window.dilations, read_spatial(node, "dilations", axes, window.layout, ones));
  MO_TRY(read_padding(node, axes, window));
  return window;
}

Value plain_filters(Rewriter& rw, const Value& filters, std::size_t axes) {
  const auto count = static_cast<std::int64_t>(axes);
  std::vector<std::int64_t> order = {count + 1, count};
  for (std::int64_t i = 0; i < count; ++i) order.push_back(i);
  return rw.create(ops::Transpose{}, filters, rw.integers(order));
}

Value depthwise_filters(Rewriter& rw, const Value& filters) {
  const Value split = rw.create(ops::Unsqueeze{}, filters, rw.integers({4}));
  return rw.create(ops::Transpose{}, split, rw.integers({2, 3, 4, 0, 1}));
}

Value convolved(Rewriter& rw, const Value& x, const Value& given, const SpatialWindow& window, bool depthwise) {
  if (depthwise) return rw.create(with_window<ops::GroupConvolution>(window), x, depthwise_filters(rw, given));
  const Value filters = plain_filters(rw, given, window.spatial_rank());
  const std::int64_t groups = groups_of(type_of(x).shape, type_of(given).shape, window);
  if (groups == 1) return rw.create(with_window<ops::Convolution>(window), x, filters);
  return rw.create(with_window<ops::GroupConvolution>(window), x,
                   grouped_filters(rw, filters, groups, window.spatial_rank()));
}

}  // namespace mo::tensorflow
