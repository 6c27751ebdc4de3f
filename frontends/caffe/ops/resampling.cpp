#include <algorithm>
#include <limits>
#include <optional>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/resampling.hpp"
#include "ops/concat.hpp"
#include "ops/interpolate.hpp"
#include "ops/mat_mul.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"

namespace mo::caffe {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Height and width of an image [N, C, H, W], an i64 vector to calculate with.
Term image_lengths(Rewriter& rw, const Value& image) {
  return {rw, slice_along(rw, shape_of(rw, image), 0, 2, 4), ElementType::i64};
}
Term sizes_term(Rewriter& rw, const Sizes& sizes) { return {rw, rw.integers(sizes), ElementType::i64}; }

ops::Interpolate to_sizes(ops::reference::InterpolateMode mode, ops::InterpolateCoordinateMode coordinates) {
  return {{.mode = mode,
           .shape_calculation_mode = ops::InterpolateShapeMode::sizes,
           .coordinate_transformation_mode = coordinates}};
}

/// Bilinear, with the corners of both images on each other.
Value resized_by_corners(Rewriter& rw, const Value& image, const Value& size) {
  const auto op = to_sizes(ops::reference::InterpolateMode::linear_onnx, ops::InterpolateCoordinateMode::align_corners);
  return rw.create(op, image, size, rw.integers({2, 3}));
}

/// DeepLab's Interp: bilinear, corners of both images on each other. Pads below 0 crop. The size, from the cropped
/// image of s elements:
///   a second bottom           its size
///   shrink_factor             r = (s - 1) / shrink + 1
///   zoom_factor               r + (r - 1) * (zoom - 1), after shrinking when both are given;
///                             r * zoom for forks of Caffe, when InterpZoom says so and nothing shrinks
///   height and width          these
Replacement interp(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  const std::int64_t pad_begin = layer.integer("interp_param.pad_beg", 0);
  const std::int64_t pad_end = layer.integer("interp_param.pad_end", 0);
  for (const auto& [name, pad] : {std::pair{"pad_beg", pad_begin}, {"pad_end", pad_end}})
    if (pad > 0 || pad < -kLargestSize)
      return layer.error("MO-CAFFE-0230", "interp_param.{} is {}", name, pad)
          .hint("Interp only crops: the number is not above 0; add a layer that pads");
  MO_ASSIGN(const std::int64_t zoom, integer_in(layer, "interp_param.zoom_factor", 1, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t shrink, integer_in(layer, "interp_param.shrink_factor", 1, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "interp_param.height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "interp_param.width", 0, 0, kLargestSize));
  const bool zoom_multiplies = layer.flag("zoom_multiplies", false);
  const bool scaled = layer.has("interp_param.zoom_factor") || layer.has("interp_param.shrink_factor");
  if (layer.bottoms() == 1 && !scaled && (height == 0 || width == 0))
    return layer.error("MO-CAFFE-0231", "interp_param does not define the size of the result")
        .hint("give height and width, zoom_factor, shrink_factor, or a second bottom");
  Value image = layer.bottom(0);
  if (pad_begin != 0 || pad_end != 0) {
    const std::int64_t stop = pad_end == 0 ? std::numeric_limits<std::int64_t>::max() : pad_end;
    const Value begin = rw.integers({-pad_begin, -pad_begin});
    image = rw.create(ops::Slice{}, image, begin, rw.integers({stop, stop}), rw.integers({1, 1}), rw.integers({2, 3}));
  }
  if (layer.bottoms() == 2) return resized_by_corners(rw, image, image_lengths(rw, layer.bottom(1)));
  if (!scaled) return resized_by_corners(rw, image, rw.integers({height, width}));
  Term size = image_lengths(rw, image);
  if (shrink != 1) size = (size - 1) / static_cast<double>(shrink) + 1;
  const bool of_corners = shrink != 1 || !zoom_multiplies;
  if (zoom != 1) size = of_corners ? (size - 1) * static_cast<double>(zoom) + 1 : size * static_cast<double>(zoom);
  return resized_by_corners(rw, image, size);
}

/// How large an upsampled image becomes: a size that is given, or its factors times its size, less one where a pooling
/// had padded.
struct UpsampledSize {
  std::optional<Sizes> given;
  Sizes scales;
  Sizes cut;

  bool is_exact() const { return !given && cut == Sizes{0, 0}; }
  Term of(Rewriter& rw, const Value& image) const {
    if (given) return sizes_term(rw, *given);
    const Term scaled = image_lengths(rw, image) * sizes_term(rw, scales);
    return is_exact() ? scaled : scaled - sizes_term(rw, cut);
  }
};

Expected<UpsampledSize> upsampled_size(const Layer& layer) {
  MO_ASSIGN(const std::int64_t scale, integer_in(layer, "upsample_param.scale", 2, 1, kLargestSize));
  UpsampledSize made;
  Sizes sizes;
  for (const char axis : {'h', 'w'}) {
    MO_ASSIGN(const std::int64_t own_scale,
              integer_in(layer, fmt::format("upsample_param.scale_{}", axis), scale, 1, kLargestSize));
    MO_ASSIGN(const std::int64_t size,
              integer_in(layer, fmt::format("upsample_param.upsample_{}", axis), 0, 0, kLargestSize));
    made.scales.push_back(own_scale);
    sizes.push_back(size);
    made.cut.push_back(layer.flag(fmt::format("upsample_param.pad_out_{}", axis), false) ? 1 : 0);
  }
  if ((sizes[0] == 0) != (sizes[1] == 0))
    return layer
        .error("MO-CAFFE-0231", "upsample_param defines only one side of the result: {} x {}", sizes[0], sizes[1])
        .hint("give upsample_h and upsample_w, or factors");
  if (sizes[0] > 0) made.given = std::move(sizes);
  return made;
}

/// Elements are repeated.
Value repeated(Rewriter& rw, const Value& image, const UpsampledSize& size) {
  ops::Interpolate op = to_sizes(ops::reference::InterpolateMode::nearest, ops::InterpolateCoordinateMode::asymmetric);
  op.nearest_mode = ops::InterpolateNearestMode::floor;
  if (!size.is_exact()) return rw.create(op, image, size.of(rw, image).value(), rw.integers({2, 3}));
  op.shape_calculation_mode = ops::InterpolateShapeMode::scales;
  const std::vector<float> factors(size.scales.begin(), size.scales.end());
  return rw.create(op, image, rw.constant(Tensor::vector(factors)), rw.integers({2, 3}));
}

/// Zeros with the elements of x in the places, row by row in a channel, that the mask names.
Value unpooled(Rewriter& rw, const Value& x, const Value& mask, const Term& size) {
  const Value outer = slice_along(rw, shape_of(rw, x), 0, 0, 2);
  const Value area = rw.create(ops::ReduceProd{.keep_dims = true}, size.value(), rw.integers({0}));
  const auto in_rows = [&](const Value& image) {
    return rw.create(ops::Reshape{.special_zero = true}, image, rw.integers({0, 0, -1}));
  };
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, x, 0), join(rw, {outer, area}));
  const Value places = as_i64(rw, in_rows(mask));
  const Value filled =
      rw.create(ops::v3::ScatterElementsUpdate{}, zeros, places, in_rows(x), rw.scalar<std::int64_t>(2));
  return rw.create(ops::Reshape{}, filled, join(rw, {outer, size.value()}));
}

/// SegNet's Upsample with a second bottom puts elements where a Pooling layer found them; the YOLO forks' Upsample,
/// with one, repeats them.
Replacement upsample(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  MO_ASSIGN(const UpsampledSize size, upsampled_size(layer));
  const Value x = layer.bottom(0);
  return layer.bottoms() == 2 ? unpooled(rw, x, layer.bottom(1), size.of(rw, x)) : repeated(rw, x, size);
}

/// Weights f32 [result, length] of FlowNet's cubic filter along `axis`: a = -0.5, elements outside of the image do not
/// count. When an axis shrinks and antialiasing is on, both filters follow their factors.
Term cubic_weights(Rewriter& rw, const Value& image, const Term& size, std::int64_t axis, bool antialias) {
  const Term old_size = image_lengths(rw, image);
  const auto element = [&](const Term& vector, std::int64_t i) {
    return Term(rw, integer_at(rw, vector.value(), i), ElementType::i64);
  };
  const Term step = element(old_size, axis).as(ElementType::f32) / element(size, axis).as(ElementType::f32);
  const Term places = (count_up(rw, element(size, axis).value(), ElementType::f32) + 0.5) * step - 0.5;
  const Term elements = count_up(rw, element(old_size, axis).value(), ElementType::f32);
  const Term distance = places.unsqueezed({1}) - elements.unsqueezed({0});
  if (!antialias) return normalized(sampling_kernel("keyscubic", distance));
  const Term steps = old_size.as(ElementType::f32) / size.as(ElementType::f32);
  const Term shrinks = greater(reduced<ops::ReduceKind::max>(steps, {0}, false), 1);
  return normalized(sampling_kernel("keyscubic", distance * choose(shrinks, 1 / step, 1)));
}

/// FlowNet's Resample: element o of the result lies at (o + 0.5) * factor - 0.5 of the image. The size is that of a
/// second bottom, given, or `factor` times that of the image.
Replacement resample(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 2));
  const std::string type = layer.text("resample_param.type", "LINEAR", {"", "NEAREST", "LINEAR", "CUBIC", "AREA"});
  if (type != "NEAREST" && type != "LINEAR" && type != "CUBIC")
    return layer.error("MO-CAFFE-0232", "resample_param.type is {}", type).hint("it is NEAREST, LINEAR or CUBIC");
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "resample_param.height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "resample_param.width", 0, 0, kLargestSize));
  MO_ASSIGN(const double factor, finite_real(layer, "resample_param.factor", 1));
  const bool like_bottom = layer.bottoms() == 2;
  const bool sized = height > 0 && width > 0;
  if (!like_bottom &&
      ((!sized && (height > 0 || width > 0 || !layer.has("resample_param.factor"))) || !(factor > 0) || factor > 65536))
    return layer.error("MO-CAFFE-0231", "resample_param does not define the size of the result")
        .hint("give height and width, a factor above 0, or a second bottom");
  const bool antialias = layer.flag("resample_param.antialias", true);
  const Value image = layer.bottom(0);
  Term size = image_lengths(rw, like_bottom ? layer.bottom(1) : image);
  if (!like_bottom && sized)
    size = sizes_term(rw, {height, width});
  else if (!like_bottom && factor == std::floor(factor))
    size = size * factor;
  else if (!like_bottom)
    size = floored(size.as(ElementType::f32) * factor).as(ElementType::i64);
  if (type == "CUBIC") {
    const Value columns = rw.create(ops::MatMul{.transpose_b = true}, image,
                                    as_type_of(rw, cubic_weights(rw, image, size, 1, antialias), image));
    return rw.create(ops::MatMul{}, as_type_of(rw, cubic_weights(rw, image, size, 0, antialias), image), columns);
  }
  ops::Interpolate op = to_sizes(ops::reference::InterpolateMode::nearest, ops::InterpolateCoordinateMode::half_pixel);
  op.nearest_mode = ops::InterpolateNearestMode::round_prefer_ceil;
  if (type == "LINEAR") {
    op.mode = ops::reference::InterpolateMode::linear;
    op.antialias = antialias;
  }
  return rw.create(op, image, size.value(), rw.integers({2, 3}));
}

/// FlowNet's Accum: all bottoms in one size, concatenated along the channels. The size is that of the last bottom,
/// which is not data then (have_reference), or the given one when it is larger than all bottoms in both directions, or
/// else the largest of them.
Replacement accum(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  const bool reference = layer.flag("accum_param.have_reference", false);
  MO_TRY(expect_bottoms(layer, reference ? 2 : 1, 1024));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "accum_param.top_height", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "accum_param.top_width", 0, 0, kLargestSize));
  MO_ASSIGN(const std::int64_t divisor, integer_in(layer, "accum_param.size_divisible_by", 0, 0, kLargestSize));
  if (divisor > 1 && !reference)
    return layer.error("MO-CAFFE-0233", "accum_param.size_divisible_by is {}", divisor)
        .hint("implementations round sizes up or leave them: give top_height and top_width");
  const std::size_t count = layer.bottoms() - (reference ? 1 : 0);
  Term size = image_lengths(rw, layer.bottom(reference ? count : 0));
  for (std::size_t i = 1; i < count && !reference; ++i) size = larger(size, image_lengths(rw, layer.bottom(i)));
  if (!reference && height > 0 && width > 0) {
    const Term wanted = sizes_term(rw, {height, width});
    const Term is_larger = wanted.test(ops::Greater{}, size.value());
    size = choose(reduced<ops::ReduceKind::logical_and>(is_larger, {0}, true), wanted, size);
  }
  std::vector<Value> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(resized_by_corners(rw, layer.bottom(i), size));
  return images.size() == 1 ? images.front() : rw.create(ops::Concat{.axis = 1}, images);
}

}  // namespace

/// Layers that give images another size.
void register_resampling(OperatorTable& table) {
  table.translate("Interp", interp);
  table.translate("Upsample", upsample);
  table.translate("Resample", resample);
  table.translate("Accum", accum);
}

}  // namespace mo::caffe
