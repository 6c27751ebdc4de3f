#pragma once

#include <array>

#include "onnx_emitter/support/inner_graph.hpp"
#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {

struct SoftSuppressionInputs {
  Value boxes;     ///< [N, M, 4], f32
  Value scores;    ///< [N, C, M], f32
  Value most;      ///< boxes of a class: a scalar of i64
  Value least;     ///< what scores exceed: a scalar
  Value drops_at;  ///< overlap that drops a box; empty: none does
  double sigma = 1;
  bool are_centers = false;
};

/// Boxes by image, class and score: [found, 3] of image, class and box, and their scores.
struct SoftlySelected {
  Value indices, scores;
};

/// Low and high y, low and high x: [N, M] each.
inline std::array<Value, 4> box_sides(Translation& t, const SoftSuppressionInputs& in) {
  std::array<Value, 4> column;
  for (std::int64_t i = 0; i < 4; ++i)
    column[static_cast<std::size_t>(i)] =
        t.op("Gather", {in.boxes, t.constant(*from_integers(ElementType::i64, {}, {i}))}, {{"axis", 2}});
  if (in.are_centers) {
    const Value half = t.scalar(ElementType::f32, 0.5);
    const auto side = [&](std::string_view op, std::size_t center, std::size_t size) {
      return t.op(op, {column[center], t.op("Mul", {column[size], half})});
    };
    return {side("Sub", 1, 3), side("Add", 1, 3), side("Sub", 0, 2), side("Add", 0, 2)};
  }
  const auto side = [&](std::string_view op, std::size_t first) {
    return t.op(op, {column[first], column[first + 2]});
  };
  return {side("Min", 0), side("Max", 0), side("Min", 1), side("Max", 1)};
}

/// Suppression that lowers the scores of boxes by their overlap with a better one, which the operator of ONNX does not
/// have: each turn of a loop takes the best box of each class.
inline SoftlySelected softly_selected(Translation& t, const SoftSuppressionInputs& in) {
  constexpr double kLeast = -3.4028234663852886e38;
  const std::array<Value, 4> sides = box_sides(t, in);
  const Value count = t.op("Gather", {t.op("Shape", {in.scores}), sizes::scalar(t, 2)}, {{"axis", 0}});
  const Value turns = t.op("Where", {t.op("Less", {in.most, count}), in.most, count});

  InnerGraph body(t);
  Translation& inner = body.operators();
  const TensorType truth{ElementType::boolean, PartialShape(Shape{})};
  const TensorType score_type{ElementType::f32, PartialShape::of_rank(3)};
  body.add_input({ElementType::i64, PartialShape(Shape{})}, "turn");
  const Value go_on = body.add_input(truth, "go_on");
  const Value scores = body.add_input(score_type, "scores");
  const Value best = inner.op("ArgMax", {scores}, {{"axis", 2}, {"keepdims", 1}});  // [N, C, 1]
  const Value found = inner.op("GatherElements", {scores, best}, {{"axis", 2}});
  const Value place = inner.with_axes("Squeeze", best, {2});
  std::array<Value, 4> own;     // [N, C, 1]
  std::array<Value, 4> others;  // [N, 1, M]
  for (std::size_t i = 0; i < 4; ++i) {
    const Value side = body.captured(sides[i]);
    own[i] = inner.with_axes("Unsqueeze", inner.op("GatherElements", {side, place}, {{"axis", 1}}), {2});
    others[i] = inner.with_axes("Unsqueeze", side, {1});
  }
  const Value zero = inner.scalar(ElementType::f32, 0);
  const auto common = [&](std::size_t low) {
    const Value end = inner.op("Min", {own[low + 1], others[low + 1]});
    return inner.op("Max", {inner.op("Sub", {end, inner.op("Max", {own[low], others[low]})}), zero});
  };
  const auto area = [&](const std::array<Value, 4>& box) {
    return inner.op("Mul", {inner.op("Sub", {box[1], box[0]}), inner.op("Sub", {box[3], box[2]})});
  };
  const Value both = inner.op("Mul", {common(0), common(2)});
  const Value all = inner.op("Sub", {inner.op("Add", {area(own), area(others)}), both});
  const Value overlap = inner.op("Where", {inner.op("Greater", {both, zero}), inner.op("Div", {both, all}), zero});
  const Value factor = inner.scalar(ElementType::f32, -0.5 / in.sigma);
  const Value decay = inner.op("Exp", {inner.op("Mul", {factor, inner.op("Mul", {overlap, overlap})})});
  const Value least = inner.scalar(ElementType::f32, kLeast);
  Value next = inner.op(
      "Where", {inner.op("Greater", {scores, body.captured(in.least)}), inner.op("Mul", {scores, decay}), least});
  if (in.drops_at) {
    const Value is_kept = inner.op("Less", {overlap, body.captured(in.drops_at)});
    next = inner.op("Where", {is_kept, next, least});
  }
  const Value gone = inner.op("Expand", {least, inner.op("Shape", {best})});
  next = inner.op("ScatterElements", {next, best, gone}, {{"axis", 2}});
  const TensorType place_type{ElementType::i64, PartialShape::of_rank(2)};
  body.add_output(go_on, truth);
  body.add_output(next, score_type);
  body.add_output(place, place_type);
  body.add_output(inner.with_axes("Squeeze", found, {2}), {ElementType::f32, PartialShape::of_rank(2)});
  const Outputs made = InnerGraph::create(t, "Loop", {turns, Value(), in.scores}, 3, {{"body", &body}});

  const Value places = t.transposed(made[1], {1, 2, 0});  // [N, C, turn]
  const Value values = t.transposed(made[2], {1, 2, 0});
  const Value at = t.transposed(t.op("NonZero", {t.op("Greater", {values, in.least})}), {1, 0});
  const Value box = t.with_axes("Unsqueeze", t.op("GatherND", {places, at}), {1});
  return {t.op("Concat", {sizes::part(t, at, 1, 0, 2), box}, {{"axis", 1}}), t.op("GatherND", {values, at})};
}

}  // namespace mo::onnx_emitter
