#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/axis_resampling.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

constexpr std::string_view kKnownCoordinates[] = {"half_pixel",        "pytorch_half_pixel",   "align_corners",
                                                  "asymmetric",        "tf_half_pixel_for_nn", "half_pixel_symmetric",
                                                  "tf_crop_and_resize"};
constexpr std::string_view kKnownNearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
constexpr std::string_view kKnownPolicies[] = {"stretch", "not_larger", "not_smaller"};
constexpr std::string_view kPlainModes[] = {"nearest", "linear"};
constexpr std::string_view kKnownModes[] = {"nearest", "linear", "cubic"};

/// Error MO-ONNX-0213 unless `value` is one of `known`.
template <std::size_t N>
Expected<std::string> one_of(const FrameworkNode& node, std::string_view attribute, const std::string& value,
                             const std::string_view (&known)[N]) {
  if (std::find(std::begin(known), std::end(known), value) != std::end(known)) return value;
  return node.error("MO-ONNX-0213", "{} is \"{}\"", attribute, value)
      .hint("ONNX does not define this value; export the model again with a newer exporter");
}

/// How a node resizes: elements, lengths and axes.
struct HowToResize : Resampling {
  std::string policy = "stretch";  ///< keep_aspect_ratio_policy
  std::optional<Integers> axes;
};

/// The lengths of the result, or the factors, for the axes that are listed (all when there is no list).
struct Target {
  Value numbers;
  bool are_sizes = false;
  std::optional<Integers> axes;
};

/// What an axis with factor 1 becomes: itself, unless it is cut (tf_crop_and_resize) or sampled at x + 0.5, which may
/// round up (tf_half_pixel_for_nn).
bool factor_one_is_nothing(const HowToResize& how) {
  return how.coordinates != "tf_half_pixel_for_nn" && how.coordinates != "tf_crop_and_resize";
}

/// Known factors: axes with factor 1 are left out, since runtimes resize few axes better than all.
Expected<Target> of_factors(const FrameworkNode& node, Rewriter& rw, const Reals& factors, const HowToResize& how) {
  const std::optional<Integers>& axes = how.axes;
  if (axes && axes->size() != factors.size())
    return node.error("MO-ONNX-0227", "there are {} factors for {} axes", factors.size(), axes->size())
        .hint("each resized axis has one factor");
  std::vector<float> kept;
  Integers kept_axes;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!(factors[i] > 0) || !std::isfinite(factors[i]))
      return node.error("MO-ONNX-0227", "a factor is {}", factors[i]).hint("factors are above 0");
    if (factors[i] == 1 && factor_one_is_nothing(how)) continue;
    kept.push_back(static_cast<float>(factors[i]));
    kept_axes.push_back(axes ? (*axes)[i] : static_cast<std::int64_t>(i));
  }
  if (kept.empty()) return Target{};
  return Target{rw.constant(Tensor::vector(kept)), false, kept_axes};
}

/// Lengths without those of axes that stay as they are: exporters list all axes, with the lengths of the data for the
/// first ones. A known length that is that of the data may be one that the data only have now; so it stays where all
/// lengths are known.
Target without_unchanged_axes(Rewriter& rw, const Value& x, Target target, const HowToResize& how) {
  const PartialShape shape = type_of(x).shape;
  const PartialValue* lengths = target.numbers.data().partial_value();
  if (!factor_one_is_nothing(how) || how.policy != "stretch" || !shape.has_rank() || !lengths ||
      lengths->shape.size() != 1)
    return target;
  Integers axes(lengths->elements.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (target.axes ? target.axes->size() != axes.size() : axes.size() != shape.size()) return target;
  Integers kept;
  Integers kept_axes;
  Integers known;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = target.axes ? (*target.axes)[i] : axes[i];
    const auto place = normalize_axis(axis, *shape.rank());
    if (!place) return target;
    const Dimension& length = lengths->elements[i];
    // Batch and channels are never resized.
    const bool may_be_known = *place < 2;
    if (length.same_value(shape[static_cast<std::size_t>(*place)]) && (!length.is_known() || may_be_known)) continue;
    kept.push_back(axes[i]);
    kept_axes.push_back(axis);
    if (length.is_known()) known.push_back(length.value());
  }
  if (kept.size() == axes.size()) return target;
  if (kept.empty()) return Target{};
  // Computed lengths would be one computation more, which only filters need: they resize two axes.
  const bool are_known = known.size() == kept.size();
  if (!are_known && !how.antialias) return target;
  target.axes = kept_axes;
  target.numbers = are_known ? rw.integers(known)
                             : rw.create(ops::Gather{}, target.numbers, rw.integers(kept), rw.scalar<std::int64_t>(0));
  return target;
}

/// `sizes` or `scales`, of which at least one is there.
Expected<Target> target_of(const FrameworkNode& node, Rewriter& rw, const HowToResize& how, const Value& scales,
                           const Value& sizes) {
  const auto factors = reals_of(scales);
  // Resize-11 spells "not given" as an empty tensor.
  if (sizes && (!scales || !factors || factors->empty()))
    return without_unchanged_axes(rw, node.input(0), Target{as_i64(rw, sizes), true, how.axes}, how);
  if (sizes && type_of(sizes).shape.element_count() != 0)
    return node.error("MO-ONNX-0477", "both scales and sizes are given")
        .hint("Resize takes one of them; leave the other one out");
  if (!scales)
    return node.error("MO-ONNX-0223", "neither scales nor sizes are given")
        .hint("Resize needs one of them as an input");
  if (factors) return of_factors(node, rw, *factors, how);
  return Target{scales, false, how.axes};
}

/// Whether the known factors are whole numbers, or give whole lengths of the known dimensions.
bool gives_whole_lengths(const Value& x, const Target& target) {
  const auto factors = reals_of(target.numbers);
  const PartialShape shape = type_of(x).shape;
  if (!factors) return false;
  for (std::size_t i = 0; i < factors->size(); ++i) {
    if ((*factors)[i] == std::trunc((*factors)[i])) continue;
    const auto axis =
        shape.has_rank() ? normalize_axis(target.axes ? (*target.axes)[i] : static_cast<std::int64_t>(i), *shape.rank())
                         : std::nullopt;
    if (!axis || !shape[static_cast<std::size_t>(*axis)].is_known()) return false;
    const double length = (*factors)[i] * static_cast<double>(shape[static_cast<std::size_t>(*axis)].value());
    if (std::abs(length - std::round(length)) > 1e-4) return false;
  }
  return true;
}

/// The factor of the axis is certainly not below 1.
bool never_shrinks(const Value& x, const Target& target, std::size_t i, std::int64_t axis) {
  const auto numbers = reals_of(target.numbers);
  if (!numbers || i >= numbers->size()) return false;
  if (!target.are_sizes) return (*numbers)[i] >= 1;
  const PartialShape shape = type_of(x).shape;
  const auto place = shape.has_rank() ? normalize_axis(axis, *shape.rank()) : std::nullopt;
  return place && shape[static_cast<std::size_t>(*place)].is_known() &&
         (*numbers)[i] >= static_cast<double>(shape[static_cast<std::size_t>(*place)].value());
}

/// How many elements a vector has. Of a shape of unknown rank, exporters slice dimensions that are there: then it is
/// the largest number. A wrong guess does not stay unseen: the vector is read element by element.
std::optional<std::int64_t> vector_length(const Value& vector) {
  const PartialShape& shape = type_of(vector).shape;
  return shape.rank() == 1 && shape[0].is_bounded() ? std::optional(shape[0].max()) : std::nullopt;
}

/// The axes that are resized, in the order of the numbers; an error when nothing tells how many there are.
Expected<Integers> resized_axes(const FrameworkNode& node, const Target& target) {
  constexpr std::int64_t kMostAxes = 64;
  if (target.axes && target.axes->size() <= kMostAxes) return *target.axes;
  std::optional<std::int64_t> count = node.input_type(0).shape.rank();
  if (!count) count = vector_length(target.numbers);
  // Neither the rank of the data nor how many numbers there are follows from the inputs' shapes.
  if (target.axes || !count || *count < 0 || *count > kMostAxes)
    return node.error("MO-ONNX-0420", "the number of axes of this resize is not known, or above {}", kMostAxes)
        .hint(
            "this resize mode is computed axis by axis: give the shape of the input with --input_shape, or export "
            "constant sizes or scales");
  Integers axes;
  for (std::int64_t axis = 0; axis < *count; ++axis) axes.push_back(axis);
  return axes;
}

/// The filters of the Pillow library, which Interpolate has for two axes of an image: stretched by the factor, without
/// elements outside of the data.
bool is_filter_of_pillow(const Value& x, const HowToResize& how, const Target& target) {
  const TensorType& data = type_of(x);
  if (!how.antialias || !how.exclude_outside || how.policy != "stretch" || !is_real(data.element_type) ||
      data.rank() != 4)
    return false;
  if (how.mode != "linear" && how.mode != "cubic") return false;
  if (!target.axes || target.axes->size() != 2) return false;
  Integers places;
  for (const std::int64_t axis : *target.axes) places.push_back(normalize_axis(axis, 4).value_or(0));
  if (places != Integers{2, 3}) return false;
  if (!target.are_sizes && !gives_whole_lengths(x, target)) return false;
  if (how.coordinates == "half_pixel" || how.coordinates == "half_pixel_symmetric") return true;
  // A result of one element is not in the middle of the data there.
  const auto lengths = target.are_sizes ? reals_of(target.numbers) : std::nullopt;
  return how.coordinates == "pytorch_half_pixel" && lengths &&
         std::all_of(lengths->begin(), lengths->end(), [](double length) { return length > 1; });
}

/// Interpolate computes the same. It has no regions, and starts from the rounded length where ONNX starts from the
/// exact one: for align_corners, pass ResizeRounding looks at that again when lengths are known.
bool fits_interpolate(const FrameworkNode& node, const HowToResize& how, const Target& target) {
  if (is_filter_of_pillow(node.input(0), how, target)) return true;
  if (how.coordinates == "tf_crop_and_resize" || how.exclude_outside) return false;
  if (how.policy != "stretch") return false;
  if (how.coordinates == "half_pixel_symmetric" && !target.are_sizes && !gives_whole_lengths(node.input(0), target))
    return false;
  if (!how.antialias) return true;
  const auto numbers = reals_of(target.numbers);
  if (!numbers) return false;
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if (!never_shrinks(node.input(0), target, i,
                       target.axes && i < target.axes->size() ? (*target.axes)[i] : static_cast<std::int64_t>(i)))
      return false;
  return true;
}

Replacement interpolated(Rewriter& rw, const Value& x, const HowToResize& how, const Target& target) {
  // ONNX Resize-19: half_pixel_symmetric shifts by what the rounding of a length loses, which is nothing here.
  const bool filters = is_filter_of_pillow(x, how, target);
  const std::string coordinates = filters || how.coordinates == "half_pixel_symmetric" ? "half_pixel" : how.coordinates;
  const std::string mode = filters                ? (how.mode == "linear" ? "bilinear_pillow" : "bicubic_pillow")
                           : how.mode == "linear" ? "linear_onnx"
                                                  : how.mode;
  Op op = ops::Interpolate{{.cube_coeff = how.cubic_coeff}};
  const std::pair<std::string_view, AttributeValue> attributes[] = {
      {"mode", mode},
      {"shape_calculation_mode", target.are_sizes ? "sizes" : "scales"},
      {"coordinate_transformation_mode", coordinates},
      {"nearest_mode", how.nearest}};
  for (const auto& [name, value] : attributes) MO_TRY(op.set_attribute(name, value));
  if (target.axes) return rw.create(std::move(op), x, target.numbers, rw.integers(*target.axes));
  return rw.create(std::move(op), x, target.numbers);
}

/// ONNX Resize-18 keep_aspect_ratio_policy: one factor for all axes, the smallest or largest of those that the lengths
/// give; lengths are rounded, the factor is not.
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
Expected<void> take_regions(const FrameworkNode& node, Rewriter& rw, std::vector<ResampledAxis>& axes) {
  const Value regions = node.input(1);
  if (!regions) return node.error("MO-ONNX-0223", "tf_crop_and_resize has no regions").hint("it needs the input roi");
  const auto count = static_cast<std::int64_t>(axes.size());
  if (const PartialShape shape = type_of(regions).shape;
      shape.rank() == 1 && shape[0].is_known() && shape[0].value() != 2 * count)
    return node.error("MO-ONNX-0421", "there are {} region bounds for {} axes", shape[0].value(), count)
        .hint("each resized axis has a begin and an end");
  const Value reals = as_type(rw, regions, ElementType::f32);
  for (std::int64_t i = 0; i < count; ++i) {
    axes[static_cast<std::size_t>(i)].region_begin = slice_along(rw, reals, 0, i, i + 1);
    axes[static_cast<std::size_t>(i)].region_end = slice_along(rw, reals, 0, count + i, count + i + 1);
  }
  return {};
}

/// Axis by axis as ONNX defines it.
Replacement resized_axis_by_axis(const FrameworkNode& node, Rewriter& rw, const HowToResize& how,
                                 const Target& target) {
  const Value x = node.input(0);
  MO_ASSIGN(const Integers places, resized_axes(node, target));
  if (const PartialShape shape = type_of(target.numbers).shape;
      shape.rank() == 1 && shape[0].is_known() && shape[0].value() != static_cast<std::int64_t>(places.size()))
    return node.error("MO-ONNX-0227", "there are {} factors or lengths for {} axes", shape[0].value(), places.size())
        .hint("each resized axis has one of them");
  const Value numbers = target.are_sizes ? target.numbers : as_type(rw, target.numbers, ElementType::f32);
  std::vector<ResampledAxis> axes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Value number = slice_along(rw, numbers, 0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1);
    axes.push_back(target.are_sizes ? axis_with_length(rw, x, places[i], number)
                                    : axis_with_factor(rw, x, places[i], number));
    axes.back().may_shrink = !never_shrinks(x, target, i, places[i]);
  }
  // The policy is about lengths; factors are taken as they are.
  if (how.policy != "stretch" && target.are_sizes) keep_aspect_ratio(rw, x, how.policy, axes);
  if (how.coordinates == "tf_crop_and_resize") MO_TRY(take_regions(node, rw, axes));
  return resampled(rw, x, how, axes);
}

Replacement resize(const FrameworkNode& node, Rewriter& rw, const HowToResize& how, const Target& target) {
  const Value x = node.input(0);
  if (!target.numbers) return x;  // every factor is 1
  return fits_interpolate(node, how, target) ? interpolated(rw, x, how, target)
                                             : resized_axis_by_axis(node, rw, how, target);
}

/// Upsample and Resize-10: coordinates are divided by the factor; the interpolation is nearest or linear.
Expected<HowToResize> plain_resize(const FrameworkNode& node) {
  const std::string mode = node.attr("mode", "nearest");
  HowToResize how;
  if (mode != "bilinear") {
    MO_ASSIGN(how.mode, one_of(node, "mode", mode, kPlainModes));
  } else {
    how.mode = "linear";
  }
  how.coordinates = "asymmetric";
  // What implementations of opset 10 do: rounded down when growing, up when shrinking; the IR calls it simple.
  how.nearest = "simple";
  return how;
}

/// Upsample-1: factors of the two spatial dimensions.
Replacement upsample_of_opset_1(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(HowToResize how, plain_resize(node));
  how.axes = Integers{2, 3};
  const Reals factors = {node.required<double>("height_scale"), node.required<double>("width_scale")};
  if (node.failure()) return *node.failure();
  MO_ASSIGN(const Target target, of_factors(node, rw, factors, how));
  return resize(node, rw, how, target);
}

/// Upsample-7: a factor for each dimension.
Replacement upsample_of_opset_7(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const HowToResize how, plain_resize(node));
  MO_ASSIGN(const Target target, of_factors(node, rw, node.required<Reals>("scales"), how));
  return resize(node, rw, how, target);
}

/// Resize-10: the factors are input 1.
Replacement resize_by_factors(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const HowToResize how, plain_resize(node));
  MO_ASSIGN(const Target target, target_of(node, rw, how, node.input(1), {}));
  return resize(node, rw, how, target);
}

/// Upsample-9: likewise; PyTorch 1.0 wrote the attribute of opset 7 all the same.
Replacement upsample_of_opset_9(const FrameworkNode& node, Rewriter& rw) {
  return node.has_input(1) ? resize_by_factors(node, rw) : upsample_of_opset_7(node, rw);
}

/// Resize-11 and later. Inputs: data, regions (for tf_crop_and_resize), scales, sizes. Resize-18 brought axes,
/// antialias and policies.
Replacement resize_by_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  HowToResize how;
  MO_ASSIGN(how.mode, one_of(node, "mode", node.attr("mode", "nearest"), kKnownModes));
  MO_ASSIGN(how.coordinates, one_of(node, "coordinate_transformation_mode",
                                    node.attr("coordinate_transformation_mode", "half_pixel"), kKnownCoordinates));
  MO_ASSIGN(how.nearest, one_of(node, "nearest_mode", node.attr("nearest_mode", "round_prefer_floor"), kKnownNearest));
  MO_ASSIGN(how.policy,
            one_of(node, "keep_aspect_ratio_policy", node.attr("keep_aspect_ratio_policy", "stretch"), kKnownPolicies));
  node.ignore_input(1, "regions, of tf_crop_and_resize only");
  how.cubic_coeff = node.attr("cubic_coeff_a", -0.75);
  how.extrapolation_value = node.attr("extrapolation_value", 0.0);
  how.axes = node.optional_attr<Integers>("axes");
  how.antialias = node.attr("antialias", false) && how.mode != "nearest";
  // Linear weights outside of the data are those of the border element either way, unless the filter is stretched.
  how.exclude_outside = node.attr("exclude_outside", false) && (how.mode == "cubic" || how.antialias);
  MO_ASSIGN(const Target target, target_of(node, rw, how, node.input(2), node.input(3)));
  return resize(node, rw, how, target);
}

}  // namespace

void register_resize(OperatorTable& table) {
  table.translate("Upsample", versions(1, 6), upsample_of_opset_1);
  table.translate("Upsample", versions(7, 8), upsample_of_opset_7);
  table.translate("Upsample", versions(9, 9), upsample_of_opset_9);
  table.translate("Resize", versions(10, 10), resize_by_factors);
  table.translate("Resize", versions(11, 17), resize_by_inputs);
  table.translate("Resize", since(18), resize_by_inputs);
}

}  // namespace mo::onnx
