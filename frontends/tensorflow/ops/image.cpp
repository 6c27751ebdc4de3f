#include <algorithm>
#include <array>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/resampling.hpp"
#include "ops/concat.hpp"
#include "ops/interpolate.hpp"
#include "ops/split.hpp"

namespace mo::tensorflow {
namespace {

/// What an axis of the result is made of, one row for each of its elements.
struct ResizedAxis {
  Term size;     ///< i64 scalar: how long the result is
  Term length;   ///< f32 scalar: how long the data are
  Term rows;     ///< f32 [size, 1]: 0, 1 …
  Term columns;  ///< f32 [1, length]: 0, 1 …
};

ResizedAxis axis_of(Rewriter& rw, const Value& images, const Value& sizes, std::int64_t axis) {
  const Term size(rw, integer_at(rw, sizes, axis), ElementType::i64);
  const Term length(rw, dimension_of(rw, images, axis + 1), ElementType::i64);
  const Term rows = count_up(rw, size, ElementType::f32).unsqueezed({1});
  const Term columns = count_up(rw, length, ElementType::f32).unsqueezed({0});
  return {size, length.as(ElementType::f32), rows, columns};
}

/// TensorFlow ResizeBicubic with half_pixel_centers: Keys' kernel, its fractions rounded to 1/1024, renormalised over
/// the elements inside.
Term bicubic_weights(const ResizedAxis& axis) {
  const Term place = (axis.rows + 0.5) * sampling_step(axis.length, axis.size.as(ElementType::f32)) - 0.5;
  const Term whole = floored(place);
  const Term fraction = ((place - whole) * 1024).apply(ops::Round{.mode = ops::RoundMode::half_to_even}) / 1024;
  return normalized(sampling_kernel("keyscubic", whole + fraction - axis.columns));
}

Replacement resized_bicubic(const FrameworkNode& node, Rewriter& rw) {
  const Term images = term(rw, node.input(0)).as(ElementType::f32);
  const Term vertical = bicubic_weights(axis_of(rw, images, node.input(1), 0));
  const Term horizontal = bicubic_weights(axis_of(rw, images, node.input(1), 1));
  return resampled(images, vertical, horizontal).value();
}

/// Inputs: images [N, H, W, C], size (height, width). Errors: MO-TF-0681 when attributes exclude each other.
Replacement interpolated(const FrameworkNode& node, Rewriter& rw, ops::Interpolate op) {
  using Coordinates = ops::InterpolateCoordinateMode;
  using Mode = ops::reference::InterpolateMode;
  MO_TRY(node.expect_inputs(2));
  const bool corners = node.attr("align_corners", false);
  const bool centers = node.attr("half_pixel_centers", false);
  if (corners && centers)
    return node.error("MO-TF-0681", "align_corners and half_pixel_centers exclude each other")
        .hint("TensorFlow refuses it as well: set one of them");
  // TensorFlow ResizeBicubic: another kernel with half_pixel_centers, which leaves out what is beyond the image.
  if (op.mode == Mode::cubic && centers) return resized_bicubic(node, rw);
  op.coordinate_transformation_mode = corners   ? Coordinates::align_corners
                                      : centers ? Coordinates::half_pixel
                                                : Coordinates::asymmetric;
  Term images = term(rw, node.input(0));
  if (op.mode == Mode::nearest) {
    op.nearest_mode = ops::InterpolateNearestMode::floor;
    if (centers) op.coordinate_transformation_mode = Coordinates::tf_half_pixel_for_nn;
    if (corners) op.nearest_mode = ops::InterpolateNearestMode::round_prefer_ceil;  // TensorFlow rounds halves up
  } else {
    // TensorFlow ResizeBilinear and ResizeBicubic: whatever goes in, f32 comes out.
    images = images.as(ElementType::f32);
    op.cube_coeff = -0.75;
  }
  return rw.create(op, images.value(), node.input(1), rw.integers({1, 2}));
}

Translator interpolation(ops::reference::InterpolateMode mode) {
  return [mode](const FrameworkNode& node, Rewriter& rw) {
    ops::Interpolate op;
    op.mode = mode;
    return interpolated(node, rw, op);
  };
}

/// TensorFlow ResizeArea: each element is the mean of the stretch that it covers; beyond the end (align_corners) the
/// last element goes on.
Term area_weights(const ResizedAxis& axis, bool align_corners) {
  const Term step = sampling_step(axis.length, axis.size.as(ElementType::f32), align_corners);
  const Term begin = axis.rows * step;
  const Term end = (axis.rows + 1) * step;
  Term edge = axis.columns + 1;
  if (align_corners) edge = choose(equal(edge, axis.length), edge + axis.length, edge);
  return larger(smaller(end, edge) - larger(begin, axis.columns), 0) / step;
}

Replacement resized_by_area(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const bool align_corners = node.attr("align_corners", false);
  const Term images = term(rw, node.input(0)).as(ElementType::f32);
  const Term vertical = area_weights(axis_of(rw, images, node.input(1), 0), align_corners);
  const Term horizontal = area_weights(axis_of(rw, images, node.input(1), 1), align_corners);
  return resampled(images, vertical, horizontal).value();
}

/// Inputs: images, size, scale [2], translation [2]. Element x of the result is at s = (x + 0.5 - translation) / scale,
/// where the data's element i is at i + 0.5; beyond the data it is zero.
Replacement scaled_and_translated(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  constexpr std::array<std::string_view, 8> kKernels{"lanczos1", "lanczos3", "lanczos5",  "gaussian",
                                                     "box",      "triangle", "keyscubic", "mitchellcubic"};
  const std::string kernel = node.attr("kernel_type", "lanczos3");
  if (std::find(kKernels.begin(), kKernels.end(), kernel) == kKernels.end())
    return node.error("MO-TF-0683", "kernel_type is '{}'", kernel)
        .hint("use lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic or mitchellcubic");
  const bool antialias = node.attr("antialias", true);
  const Term images = term(rw, node.input(0)).as(ElementType::f32);
  std::vector<Term> weights;
  for (std::int64_t i = 0; i < 2; ++i) {
    const ResizedAxis axis = axis_of(rw, images, node.input(1), i);
    const Term scale(rw, as_scalar(rw, slice_along(rw, node.input(2), 0, i, i + 1)), ElementType::f32);
    const Term shift(rw, as_scalar(rw, slice_along(rw, node.input(3), 0, i, i + 1)), ElementType::f32);
    const Term inverse = 1 / scale;
    const Term place = (axis.rows + 0.5) * inverse - inverse * shift;
    Term distance = axis.columns + 0.5 - place;
    if (antialias) distance = distance / larger(inverse, 1);
    const Term inside = both(greater_equal(place, 0), less_equal(place, axis.length));
    weights.push_back(choose(inside, normalized(sampling_kernel(kernel, distance)), 0));
  }
  return resampled(images, weights[0], weights[1]).value();
}

// -- colours ----------------------------------------------------------------------------------------------------------

/// The three planes [..., 1] of a tensor whose last dimension is 3.
struct Planes {
  Term first;
  Term second;
  Term third;
};

Planes planes_of(const Term& x) {
  Rewriter& rw = x.rewriter();
  const Node split = rw.create_node(ops::Split{.num_splits = 3}, {x.value(), rw.scalar<std::int64_t>(-1)}, 3);
  return {{rw, split.output(0), x.type()}, {rw, split.output(1), x.type()}, {rw, split.output(2), x.type()}};
}

Term together(const Planes& planes) {
  Rewriter& rw = planes.first.rewriter();
  const std::vector<Value> values{planes.first, planes.second, planes.third};
  return {rw, rw.create(ops::Concat{.axis = -1}, values), planes.first.type()};
}

/// Hue, the largest channel, and its distance from the smallest one.
struct HueAndRange {
  Term hue;
  Term largest;
  Term range;
};

HueAndRange hue_of(const Planes& rgb) {
  const Term& r = rgb.first;
  const Term& g = rgb.second;
  const Term& b = rgb.third;
  const Term largest = larger(larger(r, g), b);
  const Term range = largest - smaller(smaller(r, g), b);
  const Term coloured = greater(range, 0);
  const Term sixth = (1.0 / 6) / choose(coloured, range, 1);
  const Term blue_is_largest = sixth * (r - g) + 4.0 / 6;
  const Term green_is_largest = sixth * (b - r) + 2.0 / 6;
  const Term red_is_largest = sixth * (g - b);
  const Term hue =
      choose(equal(r, largest), red_is_largest, choose(equal(g, largest), green_is_largest, blue_is_largest));
  const Term known = choose(coloured, hue, 0);
  return {choose(less(known, 0), known + 1, known), largest, range};
}

/// How much of each channel a hue in [0, 1) has, from 0 to 1.
Planes channels_of(const Term& hue) {
  const Term turn = hue * 6;
  const auto limited = [](const Term& x) { return x.apply(ops::Clamp{.min = 0, .max = 1}); };
  return {limited(absolute(turn - 3) - 1), limited(2 - absolute(turn - 2)), limited(2 - absolute(turn - 4))};
}

Term rgb_of(const Term& hue, const Term& saturation, const Term& value) {
  const Planes channels = channels_of(hue);
  const Term grey = 1 - saturation;
  const auto mixed = [&](const Term& channel) { return (grey + saturation * channel) * value; };
  return together({mixed(channels.first), mixed(channels.second), mixed(channels.third)});
}

Term saturation_of(const HueAndRange& colour) {
  const Term bright = greater(colour.largest, 0);
  return choose(bright, colour.range / choose(bright, colour.largest, 1), 0);
}

Replacement rgb_to_hsv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const HueAndRange colour = hue_of(planes_of(term(rw, node.input(0))));
  return together({colour.hue, saturation_of(colour), colour.largest}).value();
}

Replacement hsv_to_rgb(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Planes hsv = planes_of(term(rw, node.input(0)));
  return rgb_of(hsv.first, hsv.second, hsv.third).value();
}

/// TensorFlow AdjustHue: hue + delta, modulo 1; the largest and the smallest channel stay.
Replacement adjust_hue(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Term images = term(rw, node.input(0));
  const HueAndRange colour = hue_of(planes_of(images));
  const Term delta = Term(rw, node.input(1), ElementType::f32).as(images.type());
  const Term hue = (colour.hue + delta).apply(ops::FloorMod{}, images.number(1));
  const Planes channels = channels_of(hue);
  const Term smallest = colour.largest - colour.range;
  const auto mixed = [&](const Term& channel) { return smallest + colour.range * channel; };
  return together({mixed(channels.first), mixed(channels.second), mixed(channels.third)}).value();
}

Replacement adjust_saturation(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Term images = term(rw, node.input(0));
  const HueAndRange colour = hue_of(planes_of(images));
  const Term factor = Term(rw, node.input(1), ElementType::f32).as(images.type());
  const Term saturation = (saturation_of(colour) * factor).apply(ops::Clamp{.min = 0, .max = 1});
  return rgb_of(colour.hue, saturation, colour.largest).value();
}

/// Inputs: images [..., H, W, C], factor. (x - mean) * factor + mean, with the mean of each channel of each image.
Term with_contrast(const Term& images, const Term& factor) {
  const Term mean = reduced<ops::ReduceKind::mean>(images, {-3, -2}, true);
  return (images - mean) * factor + mean;
}

Replacement adjust_contrast(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Term images = term(rw, node.input(0));
  return with_contrast(images, Term(rw, node.input(1), ElementType::f32).as(images.type())).value();
}

/// The first version of the op: any number type, f32 results, limited to inputs 2 and 3.
Replacement adjust_contrast_limited(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  const Term images = term(rw, node.input(0)).as(ElementType::f32);
  const Term adjusted = with_contrast(images, {rw, node.input(1), ElementType::f32});
  const Term least(rw, node.input(2), ElementType::f32);
  const Term most(rw, node.input(3), ElementType::f32);
  return smaller(larger(adjusted, least), most).value();
}

}  // namespace

void register_image(OperatorTable& table) {
  using Mode = ops::reference::InterpolateMode;
  table.translate("ResizeBilinear", interpolation(Mode::linear_onnx));
  table.translate("ResizeNearestNeighbor", interpolation(Mode::nearest));
  table.translate("ResizeBicubic", interpolation(Mode::cubic));
  table.translate("ResizeArea", resized_by_area);
  table.translate("ScaleAndTranslate", scaled_and_translated);
  table.translate("RGBToHSV", rgb_to_hsv);
  table.translate("HSVToRGB", hsv_to_rgb);
  table.translate("AdjustHue", adjust_hue);
  table.translate("AdjustSaturation", adjust_saturation);
  table.translate("AdjustContrastv2", adjust_contrast);
  table.translate("AdjustContrast", adjust_contrast_limited);
}

}  // namespace mo::tensorflow
