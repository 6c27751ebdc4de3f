#pragma once

#include <array>
#include <cmath>

#include "onnx_emitter/support/detection.hpp"

/// Boxes that a network has moved and resized, as Detectron counts: a box includes its last pixel when `extent` is 1.
namespace mo::onnx_emitter::detection {

/// Corners, x and y each: […, 2].
struct CornerPair {
  Value low, high;
};

struct DeltaSettings {
  double extent = 1;
  std::array<double, 4> weights{1, 1, 1, 1};  ///< divisors of the deltas
  double most_growth = 0;                     ///< limit of the deltas of width and height
};

/// Moves and resizes boxes […, 2] by deltas […, 4] (x, y, width, height), and keeps them on the image (width, height).
inline CornerPair moved_boxes(Translation& t, const CornerPair& boxes, const Value& deltas, const Value& image,
                              const DeltaSettings& settings, std::int64_t rank) {
  const Outputs delta = parts(t, deltas, rank - 1, {2, 2});
  const auto weighted = [&](const Value& value, std::size_t first) {
    const double x = settings.weights[first];
    const double y = settings.weights[first + 1];
    return x == 1 && y == 1 ? value : t.op("Div", {value, reals(t, {2}, {x, y})});
  };
  const auto with_extent = [&](std::string_view op, const Value& value) {
    return settings.extent == 0 ? value : t.op(op, {value, real(t, settings.extent)});
  };
  const Value half = real(t, 0.5);
  const Value size = with_extent("Add", t.op("Sub", {boxes.high, boxes.low}));
  const Value center = t.op("Add", {boxes.low, t.op("Mul", {half, size})});
  const Value moved = t.op("Add", {center, t.op("Mul", {weighted(delta[0], 0), size})});
  const Value growth = t.op("Exp", {t.op("Min", {weighted(delta[1], 2), real(t, settings.most_growth)})});
  const Value reach = t.op("Mul", {half, t.op("Mul", {growth, size})});
  const Value last = with_extent("Sub", image);
  const auto on_image = [&](const Value& value) { return t.op("Max", {t.op("Min", {value, last}), real(t, 0)}); };
  return {on_image(t.op("Sub", {moved, reach})), on_image(with_extent("Sub", t.op("Add", {moved, reach})))};
}

/// As suppression wants them: […, 4], with the last pixel inside.
inline Value boxes_to_suppress(Translation& t, const CornerPair& boxes, double extent, std::int64_t rank) {
  const Value high = extent == 0 ? boxes.high : t.op("Add", {boxes.high, real(t, extent)});
  return joined(t, {boxes.low, high}, rank - 1);
}

/// The first `count` rows, and rows of zeros where there are fewer. `shape`: of a row.
inline Value rows_up_to(Translation& t, const Value& rows, std::int64_t count, std::vector<std::int64_t> shape,
                        ElementType type) {
  shape.insert(shape.begin(), count);
  const Value zeros = t.op("Expand", {t.scalar(type, 0), t.integers(shape)});
  return sliced(t, joined(t, {rows, zeros}, 0), 0, 0, count);
}

}  // namespace mo::onnx_emitter::detection
