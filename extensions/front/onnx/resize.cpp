#include <algorithm>
#include <cmath>

#include "extensions/support/front.hpp"
#include "ops/build/axis_resampling.hpp"
#include "ops/concat.hpp"
#include "ops/interpolate.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// The lengths of the result, or the factors, for the axes that are listed (all when there is no list).
struct Target {
  Value numbers;
  bool are_sizes = false;
  std::optional<Integers> axes;
};

/// What an axis with factor 1 becomes: itself, unless it is cut (tf_crop_and_resize) or sampled at x + 0.5, which may round up
/// (tf_half_pixel_for_nn).
bool factor_one_is_nothing(const Resampling& how) { return how.coordinates != "tf_half_pixel_for_nn" && how.coordinates != "tf_crop_and_resize"; }

/// Known factors: axes with factor 1 are left out, since runtimes resize few axes better than all.
Expected<Target> of_factors(const Node& node, Rewriter& rw, const Reals& factors, std::optional<Integers> axes, bool may_drop) {
  if (axes && axes->size() != factors.size())
    return node.error("MO-ONNX-0227", "there are {} factors for {} axes", factors.size(), axes->size()).hint("each resized axis has one factor");
  std::vector<float> kept;
  Integers kept_axes;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!(factors[i] > 0) || !std::isfinite(factors[i])) return node.error("MO-ONNX-0227", "a factor is {}", factors[i]).hint("factors are above 0");
    if (may_drop && factors[i] == 1) continue;
    kept.push_back(static_cast<float>(factors[i]));
    kept_axes.push_back(axes ? (*axes)[i] : static_cast<std::int64_t>(i));
  }
  if (kept.empty()) return Target{};
  return Target{rw.constant(Tensor::vector(kept)), false, kept_axes};
}

/// Inputs: data and scales (opset 10 and Upsample-9), or data, regions, scales, sizes (opset 11 and later).
Expected<Target> target_of(const Node& node, Rewriter& rw, const Resampling& how) {
  const auto axes = node.attr<Integers>("axes");
  const bool may_drop = factor_one_is_nothing(how);
  if (const auto factors = node.attr<Reals>("scales")) return of_factors(node, rw, *factors, axes, may_drop);
  const bool regions = node.attr<bool>("regions").value_or(false);
  const Value scales = node.input(regions ? 2 : 1);
  const Value sizes = regions ? node.input(3) : Value();
  const auto factors = known_reals(scales);
  // Resize-11 spells "not given" as an empty tensor.
  if (sizes && (!scales || !factors || factors->empty())) return Target{as_i64(rw, sizes), true, axes};
  if (!scales) return node.error("MO-ONNX-0223", "neither scales nor sizes are given").hint("Resize needs one of them as an input");
  if (factors) return of_factors(node, rw, *factors, axes, may_drop);
  return Target{scales, false, axes};
}

/// Whether the known factors are whole numbers, or give whole lengths of the known dimensions.
bool gives_whole_lengths(const Value& x, const Target& target) {
  const auto factors = known_reals(target.numbers);
  const PartialShape shape = known_type(x).shape;
  if (!factors) return false;
  for (std::size_t i = 0; i < factors->size(); ++i) {
    if ((*factors)[i] == std::trunc((*factors)[i])) continue;
    const auto axis = shape.has_rank() ? normalize_axis(target.axes ? (*target.axes)[i] : static_cast<std::int64_t>(i), *shape.rank()) : std::nullopt;
    if (!axis || !shape[static_cast<std::size_t>(*axis)].is_known()) return false;
    const double length = (*factors)[i] * static_cast<double>(shape[static_cast<std::size_t>(*axis)].value());
    if (std::abs(length - std::round(length)) > 1e-4) return false;
  }
  return true;
}

/// The factor of the axis is certainly not below 1.
bool never_shrinks(const Value& x, const Target& target, std::size_t i, std::int64_t axis) {
  const auto numbers = known_reals(target.numbers);
  if (!numbers || i >= numbers->size()) return false;
  if (!target.are_sizes) return (*numbers)[i] >= 1;
  const PartialShape shape = known_type(x).shape;
  const auto place = shape.has_rank() ? normalize_axis(axis, *shape.rank()) : std::nullopt;
  return place && shape[static_cast<std::size_t>(*place)].is_known() &&
         (*numbers)[i] >= static_cast<double>(shape[static_cast<std::size_t>(*place)].value());
}

/// How many elements a vector has, as far as the ops that exporters compute sizes with tell. A wrong guess does not stay unseen: the vector is
/// read element by element.
std::optional<std::int64_t> vector_length(const Value& vector, int depth = 0) {
  constexpr int kDeepest = 8;
  if (!vector || depth > kDeepest) return std::nullopt;
  if (const PartialShape shape = known_type(vector).shape; shape.rank() == 1 && shape[0].is_known()) return shape[0].value();
  const Node node = vector.node();
  if (node.is<ops::Convert>()) return vector_length(node.input(0), depth + 1);
  if (node.is("OnnxUnsqueeze")) return 1;  // of a scalar: it is a vector in the end
  if (node.is("OnnxSlice")) {
    const auto begin = known_integers(node.input(1));
    const auto end = known_integers(node.input(2));
    if (!begin || !end || begin->size() != 1 || end->size() != 1 || begin->front() < 0 || end->front() < begin->front()) return std::nullopt;
    if (node.input(4)) return std::nullopt;  // steps
    return end->front() - begin->front();
  }
  if (!node.is<ops::Concat>()) return std::nullopt;
  std::int64_t sum = 0;
  for (const InPort& port : node.in_ports()) {
    const auto length = vector_length(port.get_source(), depth + 1);
    constexpr std::int64_t kLongest = 1024;
    if (!length || *length > kLongest || sum > kLongest) return std::nullopt;
    sum += *length;
  }
  return sum;
}

/// The axes that are resized, in the order of the numbers; an error when nothing tells how many there are.
Expected<Integers> axes_of(const Node& node, const Target& target) {
  constexpr std::int64_t kMostAxes = 64;
  if (target.axes && target.axes->size() <= kMostAxes) return *target.axes;
  std::optional<std::int64_t> count = known_type(node.input(0)).rank();
  if (!count) count = vector_length(target.numbers);
  if (target.axes || !count || *count < 0 || *count > kMostAxes)
    return node.error("MO-ONNX-0420", "the number of axes of this resize is not known, or above {}", kMostAxes)
        .hint("this way to resize is computed axis by axis: give the attribute axes (opset 18), constant sizes or scales, or the input's rank");
  Integers axes;
  for (std::int64_t axis = 0; axis < *count; ++axis) axes.push_back(axis);
  return axes;
}

/// Interpolate computes the same. It has no regions, and starts from the rounded length where ONNX starts from the exact one: for align_corners,
/// pass ResizeRounding looks at that again when lengths are known.
bool fits_interpolate(const Node& node, const Resampling& how, const Target& target) {
  if (how.coordinates == "tf_crop_and_resize" || how.exclude_outside) return false;
  if (node.attr<std::string>("policy")) return false;
  if (how.coordinates == "half_pixel_symmetric" && !target.are_sizes && !gives_whole_lengths(node.input(0), target)) return false;
  if (!how.antialias) return true;
  const auto numbers = known_reals(target.numbers);
  if (!numbers) return false;
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if (!never_shrinks(node.input(0), target, i, target.axes && i < target.axes->size() ? (*target.axes)[i] : static_cast<std::int64_t>(i)))
      return false;
  return true;
}

Replacement interpolated(Rewriter& rw, const Value& x, const Resampling& how, const Target& target) {
  // ONNX Resize-19: half_pixel_symmetric shifts by what the rounding of a length loses, which is nothing here.
  const std::string coordinates = how.coordinates == "half_pixel_symmetric" ? "half_pixel" : how.coordinates;
  Op op = ops::Interpolate{.cube_coeff = how.cubic_coeff};
  const std::pair<std::string_view, AttributeValue> attributes[] = {{"mode", how.mode == "linear" ? std::string("linear_onnx") : how.mode},
                                                                    {"shape_calculation_mode", target.are_sizes ? "sizes" : "scales"},
                                                                    {"coordinate_transformation_mode", coordinates},
                                                                    {"nearest_mode", how.nearest}};
  for (const auto& [name, value] : attributes)
    if (auto set = op.set_attribute(name, value); !set) return std::move(set).error();
  if (target.axes) return rw.create(std::move(op), x, target.numbers, rw.integers(*target.axes));
  return rw.create(std::move(op), x, target.numbers);
}

/// ONNX Resize-18 keep_aspect_ratio_policy: one factor for all axes, the smallest or largest of those that the lengths give; lengths are rounded,
/// the factor is not.
void keep_aspect_ratio(Rewriter& rw, const Value& x, const std::string& policy, std::vector<ResampledAxis>& axes) {
  std::optional<Term> factor;
  for (const ResampledAxis& axis : axes) {
    const Term own(rw, axis.factor, ElementType::f32);
    factor = !factor ? own : policy == "not_larger" ? smaller(*factor, own) : larger(*factor, own);
  }
  for (ResampledAxis& axis : axes) {
    axis = axis_with_factor(rw, x, axis.axis, *factor);
    axis.length = floored(Term(rw, axis.width, ElementType::f32) + 0.5).as(ElementType::i64);
  }
}

/// ONNX Resize-11: [begin of each axis …, end of each axis …], parts of the length.
std::optional<Diagnostic> take_regions(const Node& node, Rewriter& rw, std::vector<ResampledAxis>& axes) {
  const Value regions = node.input(1);
  if (!regions) return node.error("MO-ONNX-0223", "tf_crop_and_resize has no regions").hint("it needs the input roi");
  const auto count = static_cast<std::int64_t>(axes.size());
  if (const PartialShape shape = known_type(regions).shape; shape.rank() == 1 && shape[0].is_known() && shape[0].value() != 2 * count)
    return node.error("MO-ONNX-0421", "there are {} numbers of regions for {} axes", shape[0].value(), count)
        .hint("each resized axis has a begin and an end");
  const Value reals = as_type(rw, regions, ElementType::f32);
  for (std::int64_t i = 0; i < count; ++i) {
    axes[static_cast<std::size_t>(i)].region_begin = slice_along(rw, reals, 0, i, i + 1);
    axes[static_cast<std::size_t>(i)].region_end = slice_along(rw, reals, 0, count + i, count + i + 1);
  }
  return std::nullopt;
}

/// Axis by axis as ONNX defines it.
Replacement computed(const Node& node, Rewriter& rw, const Resampling& how, const Target& target) {
  const Value x = node.input(0);
  auto places = axes_of(node, target);
  if (!places) return std::move(places).error();
  if (const PartialShape shape = known_type(target.numbers).shape;
      shape.rank() == 1 && shape[0].is_known() && shape[0].value() != static_cast<std::int64_t>(places->size()))
    return node.error("MO-ONNX-0227", "there are {} factors or lengths for {} axes", shape[0].value(), places->size())
        .hint("each resized axis has one of them");
  const Value numbers = target.are_sizes ? target.numbers : as_type(rw, target.numbers, ElementType::f32);
  std::vector<ResampledAxis> axes;
  for (std::size_t i = 0; i < places->size(); ++i) {
    const Value number = slice_along(rw, numbers, 0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1);
    axes.push_back(target.are_sizes ? axis_with_length(rw, x, (*places)[i], number) : axis_with_factor(rw, x, (*places)[i], number));
    axes.back().may_shrink = !never_shrinks(x, target, i, (*places)[i]);
  }
  // The policy is about lengths; factors are taken as they are.
  if (const auto policy = node.attr<std::string>("policy"); policy && target.are_sizes) keep_aspect_ratio(rw, x, *policy, axes);
  if (how.coordinates == "tf_crop_and_resize")
    if (auto bad = take_regions(node, rw, axes)) return *std::move(bad);
  return resampled(rw, x, how, axes);
}

Replacement replace_resize(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const Resampling how{.mode = node.attr<std::string>("mode").value_or("nearest"),
                       .coordinates = node.attr<std::string>("coordinates").value_or("asymmetric"),
                       .nearest = node.attr<std::string>("nearest").value_or("simple"),
                       .cubic_coeff = node.attr<double>("cubic_coeff").value_or(-0.75),
                       .exclude_outside = node.attr<bool>("exclude_outside").value_or(false),
                       .antialias = node.attr<bool>("antialias").value_or(false),
                       .extrapolation_value = node.attr<double>("extrapolation_value").value_or(0)};
  auto target = target_of(node, rw, how);
  if (!target) return std::move(target).error();
  if (!target->numbers) return x;  // every factor is 1
  return fits_interpolate(node, how, *target) ? interpolated(rw, x, how, *target) : computed(node, rw, how, *target);
}

}  // namespace

void register_resize(PassRegistry& passes) { passes.add(front_replacement_op("OnnxResize").replace_op(replace_resize)); }

}  // namespace mo::front::onnx
