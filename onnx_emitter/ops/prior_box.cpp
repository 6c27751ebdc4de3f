#include "ops/prior_box.hpp"

#include <optional>

#include "core/graph/values.hpp"
#include "core/inference/evaluate.hpp"
#include "onnx_emitter/support/detection.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "ops/reference/prior_box.hpp"

namespace mo::onnx_emitter {
namespace {

/// The boxes around a place, relative to it: [1, 1, boxes, 4] in pixels.
struct PriorGrid {
  std::vector<double> corners;
  std::vector<double> variance;
  double step_w = 0;  ///< 0: the size of the image over that of the feature map
  double step_h = 0;
  double offset = 0;
  bool clip = false;
};

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

std::vector<double> first_row(const Tensor& boxes) {
  const auto values = boxes.values<float>();
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2)};
}

/// On an image of one pixel with a step of one pixel, the place is 0 and the boxes are relative to it. Boxes of fixed
/// sizes are cut off by the image, and sizes of MXNet follow from it.
Expected<PriorGrid> prior_grid_of(const Translation& t, const ops::v8::PriorBox& op) {
  if (!op.fixed_size.empty() || !op.scale_all_sizes)
    return t.refused("boxes that follow from the size of the image, which is unknown");
  ops::reference::PriorBoxParameters p;
  p.min_size = as_floats(op.min_size);
  p.max_size = as_floats(op.max_size);
  p.aspect_ratio = as_floats(op.aspect_ratio);
  p.flip = op.flip;
  p.step = 1;
  p.ratios_last = op.min_max_aspect_ratios_order;
  const auto count = ops::reference::prior_box_count(p);
  if (!count) return t.refused("sizes and ratios that do not fit each other");
  MO_ASSIGN(Tensor boxes, Tensor::allocate(ElementType::f32, {2, 4 * *count}));
  if (!ops::reference::prior_box(1, 1, 1, 1, boxes, p)) return t.refused("aspect ratios that almost equal each other");
  // Without a step, a place is the middle of its part of the image.
  return PriorGrid{first_row(boxes), op.variance, op.step, op.step, op.step == 0 ? 0.5 : op.offset, op.clip};
}

Expected<PriorGrid> prior_grid_of(const Translation& /*t*/, const ops::PriorBoxClustered& op) {
  ops::reference::PriorBoxClusteredParameters p;
  p.width = as_floats(op.width);
  p.height = as_floats(op.height);
  p.clip = false;
  p.step_w = p.step_h = 1;
  MO_ASSIGN(Tensor boxes, Tensor::allocate(ElementType::f32, {2, 4 * static_cast<std::int64_t>(op.width.size())}));
  ops::reference::prior_box_clustered(1, 1, 1, 1, boxes, p);
  const double step_w = op.step_w == 0 ? op.step : op.step_w;
  const double step_h = op.step_h == 0 ? op.step : op.step_h;
  return PriorGrid{first_row(boxes), op.variance, step_w, step_h, op.offset, op.clip};
}

Expected<PriorGrid> prior_grid_of(const Translation& t, const ops::v0::PriorBox& op) {
  ops::v8::PriorBox newer;
  static_cast<ops::v0::PriorBox&>(newer) = op;
  return prior_grid_of(t, newer);
}

/// (place + corner) / image for each place of the feature map, then the variances.
Expected<Outputs> computed_prior_boxes(Translation& t, const PriorGrid& grid) {
  const Value map = t.input_vector(0);
  const Value image = t.cast(t.input_vector(1), ElementType::f32);  // height, width
  const auto boxes = static_cast<std::int64_t>(grid.corners.size() / 4);
  const bool follows_image = grid.step_w == 0 && grid.step_h == 0;
  const auto places = [&](std::int64_t axis, double step) {
    const Value count = t.op("Gather", {map, sizes::scalar(t, axis)}, {{"axis", 0}});
    const Value size = t.op("Div", {sizes::part(t, image, 0, axis, axis + 1), t.cast(count, ElementType::f32)});
    const Value each = follows_image ? size : detection::reals(t, {1}, {step});
    const Value numbers = t.cast(sizes::counted(t, count), ElementType::f32);
    return t.op("Mul", {t.op("Add", {numbers, detection::real(t, grid.offset)}), each});
  };
  const auto at_corner = [&](const Value& place, std::vector<double> axes) {
    return t.op("Mul", {place, detection::reals(t, {4}, axes)});
  };
  const Value x = at_corner(t.with_axes("Unsqueeze", places(1, grid.step_w), {0, 2, 3}), {1, 0, 1, 0});
  const Value y = at_corner(t.with_axes("Unsqueeze", places(0, grid.step_h), {1, 2, 3}), {0, 1, 0, 1});
  const Value corners = t.op("Add", {t.op("Add", {x, y}), detection::reals(t, {boxes, 4}, grid.corners)});
  Value all = t.op("Div", {corners, t.op("Gather", {image, t.integers({1, 0, 1, 0})}, {{"axis", 0}})});
  if (grid.clip) all = t.op("Clip", {all, detection::real(t, 0), detection::real(t, 1)});
  std::vector<double> variance = grid.variance;
  if (variance.empty()) variance = {0.1};
  const Value variances = detection::reals(t, {static_cast<std::int64_t>(variance.size())}, variance);
  const Value rows = detection::joined(t,
                                       {detection::reshaped(t, all, {1, -1}),
                                        detection::reshaped(t, detection::filled_like(t, variances, all), {1, -1})},
                                       0);
  return Outputs{detection::as_output(t, rows)};
}

/// A constant where the sizes of the feature map and of the image are known.
template <class Op>
Expected<Outputs> prior_boxes(Translation& t) {
  std::vector<Tensor> sizes;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto known = integers_of(t.node.input(i));
    if (known && known->size() == 2) sizes.push_back(*from_integers(ElementType::i64, {2}, *known));
  }
  if (sizes.size() < 2) {
    MO_ASSIGN(const PriorGrid grid, prior_grid_of(t, *t.node.as<Op>()));
    return computed_prior_boxes(t, grid);
  }
  auto boxes = evaluate_op(t.node.op_type(), t.node.payload(), std::move(sizes), 1);
  if (!boxes) return t.node.describe(std::move(boxes).error());
  return Outputs{t.constant(std::move(boxes->front()))};
}

}  // namespace

void register_prior_box(OnnxForms& table) {
  table.add<ops::v0::PriorBox>(prior_boxes<ops::v0::PriorBox>);
  table.add<ops::v8::PriorBox>(prior_boxes<ops::v8::PriorBox>);
  table.add<ops::PriorBoxClustered>(prior_boxes<ops::PriorBoxClustered>);
}

}  // namespace mo::onnx_emitter
