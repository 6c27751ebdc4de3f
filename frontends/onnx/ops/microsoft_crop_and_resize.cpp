#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/split.hpp"

namespace mo::onnx {
namespace {

/// Where samples lie along one axis of an image, in elements: f32 [regions, count].
struct Places {
  Term at;
  Term last;    ///< f32 scalar: the last element
  Term inside;  ///< boolean [regions, count]
};

/// From `low` to `high` (f32 [regions, 1], 1 is the last element) in equal steps; one sample alone lies in the middle.
Places places_between(Rewriter& rw, const Value& image, std::int64_t axis, const Term& low, const Term& high,
                      const Value& count) {
  const Term last = (Term(rw, dimension_of(rw, image, axis), ElementType::i64) - 1).as(ElementType::f32);
  const Term number(rw, count, ElementType::i64);
  const Term gaps = larger((number - 1).as(ElementType::f32), 1);
  const Term from = choose(greater(number, 1), low, (low + high) * 0.5);
  const Term step = (high - low) / gaps;
  const Term at = (from + step * count_up(rw, count, ElementType::f32).unsqueezed({0})) * last;
  return {at, last, both(greater_equal(at, at.number(0)), less_equal(at, last))};
}

/// CropAndResize(images [N, C, H, W], regions [R, 4] (y1, x1, y2, x2), the image of each region, size of the crops [2])
/// -> [R, C, height, width]. A sample between four elements mixes them, or takes the nearest (halves away from zero);
/// one outside of the image is `extrapolation_value`.
Replacement crop_and_resize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  const std::string mode = node.attr("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest")
    return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is bilinear or nearest");
  const Term images = term(rw, node.input(0)).as(ElementType::f32);
  const Node corners = rw.create_node(ops::Split{.num_splits = 4}, {node.input(1), rw.scalar<std::int64_t>(1)}, 4);
  const auto corner = [&](std::size_t i) { return Term(rw, corners.output(i), ElementType::f32); };
  const Places y = places_between(rw, images, 2, corner(0), corner(2), integer_at(rw, node.input(3), 0));
  const Places x = places_between(rw, images, 3, corner(1), corner(3), integer_at(rw, node.input(3), 1));

  // The image of each region, then of each a row of elements [R, H * W, C]: element (y, x) is number y * W + x.
  const Value own = rw.create(ops::Gather{}, images, as_i64(rw, node.input(2)), rw.scalar<std::int64_t>(0));
  const Value rows = rw.create(ops::Reshape{.special_zero = true}, own, rw.integers({0, 0, -1}));
  const Term width(rw, dimension_of(rw, images, 3), ElementType::i64);
  const auto limited = [](const Places& p) { return larger(smaller(p.at, p.last), 0); };
  const auto element = [&](const Term& row, const Term& column) {
    const Term place = (row.as(ElementType::i64) * width).unsqueezed({2}) + column.as(ElementType::i64).unsqueezed({1});
    // [R, C, H * W] gathered at [R, height, width] -> [R, C, height, width]
    return Term(rw, rw.create(ops::Gather{.batch_dims = 1}, rows, place.value(), rw.scalar<std::int64_t>(2)),
                ElementType::f32);
  };
  const Term row = limited(y);
  const Term column = limited(x);
  const auto sampled = [&]() -> Term {
    if (mode == "nearest") {
      const ops::Round round{.mode = ops::RoundMode::half_away_from_zero};
      return element(row.apply(round), column.apply(round));
    }
    const Term top = floored(row);
    const Term left = floored(column);
    const Term bottom = row.apply(ops::Ceiling{});
    const Term right = column.apply(ops::Ceiling{});
    const Term down = (row - top).unsqueezed({1, 3});
    const Term across = (column - left).unsqueezed({1, 2});
    const auto mixed = [&](const Term& line) {
      const Term first = element(line, left);
      return first + (element(line, right) - first) * across;
    };
    const Term upper = mixed(top);
    return upper + (mixed(bottom) - upper) * down;
  };
  const Term inside = both(y.inside.unsqueezed({1, 3}), x.inside.unsqueezed({1, 2}));
  return choose(inside, sampled(), node.attr("extrapolation_value", 0.0)).value();
}

}  // namespace

void register_microsoft_crop_and_resize(OperatorTable& table) {
  table.translate("com.microsoft::CropAndResize", since(1), crop_and_resize);
}

}  // namespace mo::onnx
