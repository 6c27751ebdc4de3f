#include <limits>

#include "ops/build/resampling.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/interpolate.hpp"
#include "ops/mat_mul.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"

namespace mo::front::caffe {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Height and width of an image [N, C, H, W], an i64 vector to calculate with.
Term size_of(Rewriter& rw, const Value& image) { return {rw, slice_along(rw, shape_of(rw, image), 0, 2, 4), ElementType::i64}; }
Term sizes_term(Rewriter& rw, const Sizes& sizes) { return {rw, rw.integers(sizes), ElementType::i64}; }

ops::Interpolate to_sizes(ops::reference::InterpolateMode mode, ops::InterpolateCoordinateMode coordinates) {
  return {.mode = mode, .shape_calculation_mode = ops::InterpolateShapeMode::sizes, .coordinate_transformation_mode = coordinates};
}

/// Bilinear, with the corners of both images on each other.
Value resized_by_corners(Rewriter& rw, const Value& image, const Value& size) {
  const auto op = to_sizes(ops::reference::InterpolateMode::linear_onnx, ops::InterpolateCoordinateMode::align_corners);
  return rw.create(op, image, size, rw.integers({2, 3}));
}

/// DeepLab's Interp: pads below 0 crop; then see extraction for the size.
Replacement replace_interp(const Node& node, Rewriter& rw) {
  Value image = node.input(0);
  const std::int64_t begin = -node.attr<std::int64_t>("pad_beg").value_or(0);
  const std::int64_t end = node.attr<std::int64_t>("pad_end").value_or(0);
  if (begin != 0 || end != 0) {
    const std::int64_t stop = end == 0 ? std::numeric_limits<std::int64_t>::max() : end;
    image = rw.create(ops::Slice{}, image, rw.integers({begin, begin}), rw.integers({stop, stop}), rw.integers({1, 1}), rw.integers({2, 3}));
  }
  if (node.attr<bool>("like_bottom").value_or(false)) return resized_by_corners(rw, image, size_of(rw, node.input(1)));
  if (const auto size = node.attr<Sizes>("size")) return resized_by_corners(rw, image, rw.integers(*size));
  Term size = size_of(rw, image);
  const auto shrink = static_cast<double>(node.attr<std::int64_t>("shrink").value_or(1));
  const auto zoom = static_cast<double>(node.attr<std::int64_t>("zoom").value_or(1));
  if (shrink != 1) size = (size - 1) / shrink + 1;
  if (zoom != 1) size = (size - 1) * zoom + 1;
  return resized_by_corners(rw, image, size);
}

/// The size of an upsampled image: given, or its factors times the size, less one where a pooling had padded.
Term upsampled_size(const Node& node, Rewriter& rw) {
  if (const auto size = node.attr<Sizes>("size")) return sizes_term(rw, *size);
  const Sizes scales = node.attr<Sizes>("scales").value_or(Sizes{1, 1});
  const Sizes cut = node.attr<Sizes>("cut").value_or(Sizes{0, 0});
  const Term scaled = size_of(rw, node.input(0)) * sizes_term(rw, scales);
  return cut == Sizes{0, 0} ? scaled : scaled - sizes_term(rw, cut);
}

/// Upsample(x) repeats elements.
Replacement replace_upsample(const Node& node, Rewriter& rw) {
  ops::Interpolate op = to_sizes(ops::reference::InterpolateMode::nearest, ops::InterpolateCoordinateMode::asymmetric);
  op.nearest_mode = ops::InterpolateNearestMode::floor;
  const auto scales = node.attr<Sizes>("scales");
  const bool exact = scales && !node.has_attr("size") && node.attr<Sizes>("cut").value_or(Sizes{0, 0}) == Sizes{0, 0};
  if (!exact) return rw.create(op, node.input(0), upsampled_size(node, rw).value(), rw.integers({2, 3}));
  op.shape_calculation_mode = ops::InterpolateShapeMode::scales;
  const std::vector<float> factors(scales->begin(), scales->end());
  return rw.create(op, node.input(0), rw.constant(Tensor::vector(factors)), rw.integers({2, 3}));
}

/// Upsample(x, mask) -> zeros with the elements of x in the places, row by row in a channel, that the mask names.
Replacement replace_unpooling(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Term size = upsampled_size(node, rw);
  const Value outer = slice_along(rw, shape_of(rw, x), 0, 0, 2);
  const Value area = rw.create(ops::ReduceProd{.keep_dims = true}, size.value(), rw.integers({0}));
  const auto in_rows = [&](const Value& image) { return rw.create(ops::Reshape{.special_zero = true}, image, rw.integers({0, 0, -1})); };
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, x, 0), join(rw, {outer, area}));
  const Value places = as_i64(rw, in_rows(node.input(1)));
  const Value filled = rw.create(ops::v3::ScatterElementsUpdate{}, zeros, places, in_rows(x), rw.scalar<std::int64_t>(2));
  return rw.create(ops::Reshape{}, filled, join(rw, {outer, size.value()}));
}

/// Weights f32 [result, length] of FlowNet's cubic filter along `axis`: a = -0.5, elements outside of the image do not count. When an axis
/// shrinks and antialiasing is on, both filters follow their factors.
Term cubic_weights(Rewriter& rw, const Value& image, const Term& size, std::int64_t axis, bool antialias) {
  const Term old_size = size_of(rw, image);
  const auto element = [&](const Term& vector, std::int64_t i) { return Term(rw, integer_at(rw, vector.value(), i), ElementType::i64); };
  const Term step = element(old_size, axis).as(ElementType::f32) / element(size, axis).as(ElementType::f32);
  const Term places = (count_up(rw, element(size, axis).value(), ElementType::f32) + 0.5) * step - 0.5;
  const Term elements = count_up(rw, element(old_size, axis).value(), ElementType::f32);
  const Term distance = places.unsqueezed({1}) - elements.unsqueezed({0});
  if (!antialias) return normalized(sampling_kernel("keyscubic", distance));
  const Term steps = old_size.as(ElementType::f32) / size.as(ElementType::f32);
  const Term shrinks = greater(reduced<ops::ReduceKind::max>(steps, {0}, false), 1);
  return normalized(sampling_kernel("keyscubic", distance * choose(shrinks, 1 / step, 1)));
}

/// FlowNet's Resample: element o of the result lies at (o + 0.5) * factor - 0.5 of the image.
Replacement replace_resample(const Node& node, Rewriter& rw) {
  const Value image = node.input(0);
  const std::string type = node.attr<std::string>("type").value_or("LINEAR");
  const bool antialias = node.attr<bool>("antialias").value_or(true);
  const double factor = node.attr<double>("factor").value_or(1);
  Term size = size_of(rw, image);
  if (node.attr<bool>("like_bottom").value_or(false)) {
    size = size_of(rw, node.input(1));
  } else if (const auto given = node.attr<Sizes>("size")) {
    size = sizes_term(rw, *given);
  } else if (factor == static_cast<double>(static_cast<std::int64_t>(factor))) {
    size = size * factor;
  } else {
    size = floored(size.as(ElementType::f32) * factor).as(ElementType::i64);
  }
  if (type == "CUBIC") {
    const Value columns = rw.create(ops::MatMul{.transpose_b = true}, image, as_type_of(rw, cubic_weights(rw, image, size, 1, antialias), image));
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

/// The size that Accum gives all bottoms. A given size that is not larger than all bottoms in both directions does not count.
Term accumulated_size(const Node& node, Rewriter& rw) {
  Term largest = size_of(rw, node.input(0));
  for (std::size_t i = 1; i < node.in_port_count(); ++i) largest = larger(largest, size_of(rw, node.input(i)));
  const auto given = node.attr<Sizes>("size");
  if (!given) return largest;
  const Term wanted = sizes_term(rw, *given);
  const Term is_larger = wanted.test(ops::Greater{}, largest.value());
  return choose(reduced<ops::ReduceKind::logical_and>(is_larger, {0}, true), wanted, largest);
}

Replacement replace_accum(const Node& node, Rewriter& rw) {
  const bool reference = node.attr<bool>("reference").value_or(false);
  const std::size_t count = node.in_port_count() - (reference ? 1 : 0);
  const Term size = reference ? size_of(rw, node.input(count)) : accumulated_size(node, rw);
  std::vector<Value> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(resized_by_corners(rw, node.input(i), size));
  return images.size() == 1 ? images.front() : rw.create(ops::Concat{.axis = 1}, images);
}

}  // namespace

void register_resampling(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeInterp").replace_op(replace_interp));
  passes.add(front_replacement_op("CaffeUpsample").replace_op(replace_upsample));
  passes.add(front_replacement_op("CaffeUnpooling").replace_op(replace_unpooling));
  passes.add(front_replacement_op("CaffeResample").replace_op(replace_resample));
  passes.add(front_replacement_op("CaffeAccum").replace_op(replace_accum));
}

}  // namespace mo::front::caffe
