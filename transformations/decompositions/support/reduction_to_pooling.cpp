#include "transformations/decompositions/support/reduction_to_pooling.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

/// What a pooling sees: the shape that it wants the data in, and its window.
struct Pooling {
  Integers data;
  ops::SlidingWindow window;
  std::int64_t count = 1;
};

/// Spatial dimensions of 4 or 5 are pooled as they are; other axes become the third of four dimensions.
Pooling pooling_of(const Shape& shape, const Integers& axes) {
  Pooling made;
  for (const std::int64_t axis : axes) made.count *= shape[static_cast<std::size_t>(axis)];
  if (axes.front() > 1 && (shape.size() == 4 || shape.size() == 5)) {
    made.data = shape;
    for (std::size_t i = 2; i < shape.size(); ++i)
      made.window.kernel.push_back(std::count(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) > 0 ? shape[i]
                                                                                                          : 1);
  } else {
    made.data = {1, 1, made.count, 1};
    for (std::int64_t i = 0; i < axes.front(); ++i) made.data[0] *= shape[static_cast<std::size_t>(i)];
    for (std::size_t i = static_cast<std::size_t>(axes.back()) + 1; i < shape.size(); ++i) made.data[3] *= shape[i];
    made.window.kernel = {made.count, 1};
  }
  made.window.strides.assign(made.window.kernel.size(), 1);
  made.window.pads_begin.assign(made.window.kernel.size(), 0);
  made.window.pads_end.assign(made.window.kernel.size(), 0);
  return made;
}

}  // namespace

Replacement pooled_reduction(
    const Node& reduction, Rewriter& rw,
    const std::function<Value(const Value& data, const ops::SlidingWindow& window, std::int64_t count)>& pool) {
  const Value data = reduction.input(0);
  const auto shape = data.type().shape.to_shape();
  const auto result = reduction.output_type().shape.to_shape();
  if (!shape || !result) return declined("the shape is unknown");
  if (!constant_integers_of(reduction.input(1))) return declined("the axes are not a constant");
  const auto axes = known_axes(reduction.input(1), static_cast<std::int64_t>(shape->size()));
  if (!axes) return declined("an axis is listed twice");
  if (axes->empty()) {
    // A Result keeps what it reads, with its names.
    if (is_model_output(reduction.output())) return declined("a Result reads it");
    return data;
  }
  const auto size = [&](std::int64_t axis) { return (*shape)[static_cast<std::size_t>(axis)]; };
  if (std::all_of(axes->begin(), axes->end(), [&](std::int64_t axis) { return size(axis) == 1; }))
    return reshaped_to(rw, data, *result);
  if (axes->back() - axes->front() + 1 != static_cast<std::int64_t>(axes->size()))
    return declined("the axes are not adjacent");
  const Pooling pooling = pooling_of(*shape, *axes);
  const Value pooled =
      pool(pooling.data == *shape ? data : reshaped_to(rw, data, pooling.data), pooling.window, pooling.count);
  if (!pooled) return declined("no pooling of this type");
  return pooled.type().shape.to_shape() == result ? pooled : reshaped_to(rw, pooled, *result);
}

}  // namespace mo::transformations
