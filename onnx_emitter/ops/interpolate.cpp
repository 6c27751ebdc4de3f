#include "ops/interpolate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/pillow_weights.hpp"
#include "onnx_emitter/support/resampling.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The axes that are resized, where they are an input; all of them where they are computed.
Expected<std::vector<std::int64_t>> resized_axes(Translation& t, std::size_t input) {
  if (t.node.in_port_count() > input && t.node.input(input) && integers_of(t.node.input(input))) return t.axes(input);
  MO_ASSIGN(const std::int64_t rank, t.rank());
  std::vector<std::int64_t> all;
  for (std::int64_t axis = 0; axis < rank; ++axis) all.push_back(axis);
  return all;
}

/// Lengths for all dimensions: those of the data where nothing is resized. `known`: of the result, where they are
/// constants of the model; otherwise `given` has the lengths of `axes`.
Value all_lengths(Translation& t, const std::vector<std::int64_t>& axes, std::size_t given, std::int64_t rank,
                  const Value& computed_axes = {}) {
  std::vector<std::int64_t> parts;
  if (const auto lengths = integers_of(t.node.input(given)); lengths && !computed_axes) {
    const PartialShape& shape = t.node.input_type(0).shape;
    bool is_known = true;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      const auto at = std::find(axes.begin(), axes.end(), axis);
      const Dimension& size = shape[static_cast<std::size_t>(axis)];
      is_known = is_known && (at != axes.end() || size.is_known());
      parts.push_back(at != axes.end()  ? (*lengths)[static_cast<std::size_t>(at - axes.begin())]
                      : size.is_known() ? size.value()
                                        : 0);
    }
    if (is_known) return t.integers(parts);
  }
  const Value shape = t.op("Shape", {t.input(0)});
  const Value places = computed_axes ? computed_axes : t.integers(axes);
  return t.op("ScatterElements", {shape, places, t.input_vector(given)}, {{"axis", 0}});
}

/// Factors for all dimensions: 1 where nothing is resized.
Value all_factors(Translation& t, const std::vector<std::int64_t>& axes, std::size_t given, std::int64_t rank,
                  const Value& computed_axes) {
  std::vector<double> all(static_cast<std::size_t>(rank), 1.0);
  const auto factors = reals_of(t.node.input(given));
  for (std::size_t i = 0; !computed_axes && factors && i < axes.size(); ++i)
    all[static_cast<std::size_t>(axes[i])] = (*factors)[i];
  const Value constants = t.constant(*from_reals(ElementType::f32, {rank}, all));
  if (factors && !computed_axes) return constants;
  Value computed = t.input(given);
  if (t.node.input_type(given).element_type != ElementType::f32) computed = t.cast(computed, ElementType::f32);
  return t.op("ScatterElements", {constants, computed_axes ? computed_axes : t.integers(axes), computed},
              {{"axis", 0}});
}

std::int64_t pad_at(const std::vector<std::int64_t>& pads, std::size_t i) { return i < pads.size() ? pads[i] : 0; }

void set_pads(const Translation& t, const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& end,
              resampling::Parameters& parameters) {
  for (std::size_t i = 0; i < t.node.input_type(0).shape.size(); ++i) {
    parameters.pads_begin.push_back(pad_at(begin, i));
    parameters.pads_end.push_back(pad_at(end, i));
  }
}

/// Factors that follow from the lengths; 1 where one is unknown.
void set_scales(const Translation& t, resampling::Parameters& parameters) {
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  for (const std::int64_t axis : parameters.axes) {
    const auto a = static_cast<std::size_t>(axis);
    const bool is_known = to.has_rank() && from[a].is_known() && to[a].is_known();
    const std::int64_t padded =
        is_known ? from[a].value() + parameters.pads_begin[a] + parameters.pads_end[a] : std::int64_t{0};
    parameters.scales.push_back(padded == 0 ? 1.0F : static_cast<float>(to[a].value()) / static_cast<float>(padded));
  }
}

/// Axes whose sizes may change; only those that do when `certainly`.
std::vector<std::int64_t> changing_axes(const Translation& t, const std::vector<std::int64_t>& axes, bool certainly) {
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  std::vector<std::int64_t> changing;
  for (const std::int64_t axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    const bool is_known = to.has_rank() && from[a].is_known() && to[a].is_known();
    if (is_known ? from[a] != to[a] : !certainly) changing.push_back(axis);
  }
  std::sort(changing.begin(), changing.end());
  return changing;
}

/// Runtimes resize these types; elements of others are taken by Gather where the sizes are known.
bool is_resized_type(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::i32 || type == ElementType::i8 ||
         type == ElementType::u8;
}

bool has_pads(const std::vector<std::int64_t>& pads) {
  return std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; });
}

bool has_static_images(const Translation& t) {
  return t.node.input_type(0).shape.is_static() && t.node.output_type().shape.is_static();
}

/// What the op asks for and Resize does not have in this op set; null when it has all of it. Runtimes know cubic for
/// two dimensions of matrices and images.
template <class Settings>
const char* lacking(const Translation& t, const Settings& op, std::string_view mode, std::size_t changing) {
  const bool is_nearest = mode == "nearest";
  const std::size_t rank = t.node.input_type(0).shape.size();
  if (mode == "cubic" && (changing > 2 || (rank != 2 && rank != 4))) return "the mode cubic of other data than images";
  if (mode == "linear" && rank < 2) return "the mode linear of a vector";
  if (has_pads(op.pads_begin) || has_pads(op.pads_end)) return "pads";
  if (op.antialias && !is_nearest) return "antialiasing (ONNX weighs otherwise)";
  if (op.coordinate_transformation_mode == ops::InterpolateCoordinateMode::tf_half_pixel_for_nn && t.opset >= 13)
    return "coordinate_transformation_mode tf_half_pixel_for_nn (after op set 12)";
  if (is_nearest && op.nearest_mode == ops::InterpolateNearestMode::simple) return "nearest_mode simple";
  if (is_nearest && !is_resized_type(t.node.output_type().element_type) && has_static_images(t))
    return "an element type that runtimes do not resize";
  return nullptr;
}

/// The same with constant weights.
template <class Settings>
Expected<Outputs> resize_by_weights(Translation& t, const Settings& op, std::size_t factors,
                                    std::vector<std::int64_t> axes, const char* why) {
  resampling::Parameters parameters;
  parameters.mode = static_cast<resampling::Mode>(op.mode);  // the modes of opset4 are the first of opset11
  parameters.coordinates = op.coordinate_transformation_mode;
  parameters.nearest = op.nearest_mode;
  parameters.antialias = op.antialias;
  parameters.cube_coeff = op.cube_coeff;
  parameters.axes = std::move(axes);
  set_pads(t, op.pads_begin, op.pads_end, parameters);
  if (op.shape_calculation_mode == ops::InterpolateShapeMode::sizes) {
    set_scales(t, parameters);
  } else {
    const auto scales = reals_of(t.node.input(factors));
    if (!scales || scales->size() < parameters.axes.size())
      return t.refused(fmt::format("{} with computed scales", why));
    for (std::size_t i = 0; i < parameters.axes.size(); ++i)
      parameters.scales.push_back(static_cast<float>((*scales)[i]));
  }
  return resampling::resampled(t, parameters, why);
}

template <class Settings>
Expected<Outputs> resize(Translation& t, const Settings& op, const char* mode, std::size_t lengths, std::size_t factors,
                         std::size_t axes_input) {
  using Coordinates = ops::InterpolateCoordinateMode;
  using Nearest = ops::InterpolateNearestMode;
  MO_ASSIGN(const std::int64_t rank, t.rank());
  MO_ASSIGN(const std::vector<std::int64_t> axes, resized_axes(t, axes_input));
  const bool is_nearest = mode && std::string_view(mode) == "nearest";
  const bool has_axes = t.node.in_port_count() > axes_input && t.node.input(axes_input);
  const Value computed_axes = has_axes && !integers_of(t.node.input(axes_input)) ? t.input_vector(axes_input) : Value();
  const std::vector<std::int64_t> changing = changing_axes(t, axes, false);
  const std::size_t certain = changing_axes(t, axes, true).size();
  if (computed_axes && (!mode || lacking(t, op, mode, certain)))
    return t.refused("computed axes in a mode that ONNX lacks");
  if (const char* const why = mode ? lacking(t, op, mode, certain) : "the filters of Pillow")
    return resize_by_weights(t, op, factors, axes, why);
  AttributeMap attributes{{"mode", mode}};
  switch (op.coordinate_transformation_mode) {
    case Coordinates::half_pixel: attributes.set("coordinate_transformation_mode", "half_pixel"); break;
    case Coordinates::pytorch_half_pixel: attributes.set("coordinate_transformation_mode", "pytorch_half_pixel"); break;
    case Coordinates::asymmetric: attributes.set("coordinate_transformation_mode", "asymmetric"); break;
    case Coordinates::align_corners: attributes.set("coordinate_transformation_mode", "align_corners"); break;
    case Coordinates::tf_half_pixel_for_nn:
      attributes.set("coordinate_transformation_mode", "tf_half_pixel_for_nn");
      break;
  }
  if (is_nearest) switch (op.nearest_mode) {
      case Nearest::round_prefer_floor: attributes.set("nearest_mode", "round_prefer_floor"); break;
      case Nearest::round_prefer_ceil: attributes.set("nearest_mode", "round_prefer_ceil"); break;
      case Nearest::floor: attributes.set("nearest_mode", "floor"); break;
      case Nearest::ceil: attributes.set("nearest_mode", "ceil"); break;
      case Nearest::simple: break;
    }
  if (std::string_view(mode) == "cubic") attributes.set("cubic_coeff_a", op.cube_coeff);
  // Op set 11 takes no absent inputs here.
  const Value none = t.opset < 13 ? t.constant(*from_reals(ElementType::f32, {0}, {})) : Value();
  // Runtimes know cubic for the last dimensions.
  std::vector<std::int64_t> order;
  for (std::int64_t axis = 0; axis < rank; ++axis)
    if (std::find(changing.begin(), changing.end(), axis) == changing.end()) order.push_back(axis);
  order.insert(order.end(), changing.begin(), changing.end());
  const bool is_moved =
      std::string_view(mode) == "cubic" && changing.size() <= 2 && !std::is_sorted(order.begin(), order.end());
  const auto in_order = [&](const Value& all) {
    return is_moved ? t.op("Gather", {all, t.integers(order)}, {{"axis", 0}}) : all;
  };
  std::vector<Value> inputs{is_moved ? t.transposed(t.input(0), order) : t.input(0), none};
  if (op.shape_calculation_mode == ops::InterpolateShapeMode::scales) {
    inputs.push_back(in_order(all_factors(t, axes, factors, rank, computed_axes)));
  } else {
    inputs.push_back(none);
    inputs.push_back(in_order(all_lengths(t, axes, lengths, rank, computed_axes)));
  }
  const Value resized = t.op("Resize", std::move(inputs), std::move(attributes));
  if (!is_moved) return Outputs{resized};
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return Outputs{t.transposed(resized, back)};
}

Expected<Outputs> interpolate4(Translation& t) {
  const auto& op = *t.node.as<ops::v4::Interpolate>();
  using Mode = ops::v4::InterpolateMode;
  const char* const mode = op.mode == Mode::nearest ? "nearest" : op.mode == Mode::cubic ? "cubic" : "linear";
  return resize(t, op, mode, 1, 2, 3);
}

/// The filters of Pillow where the model computes sizes.
Expected<Outputs> resize_by_computed_weights(Translation& t, const ops::v11::Interpolate& op,
                                             const std::vector<std::int64_t>& axes) {
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const ElementType given = t.node.output_type().element_type;
  if (!is_real(given) || given == ElementType::f64)
    return t.refused("the filters of Pillow for integers of unknown sizes");
  const bool cubic = op.mode == resampling::Mode::bicubic_pillow;
  const Value shape = t.op("Shape", {t.input(0)});
  const Value lengths = t.input_vector(1);
  Value value = sizes::typed_input(t, 0, ElementType::f32);
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Value from = t.op("Gather", {shape, sizes::scalar(t, axes[i])}, {{"axis", 0}});
    const Value to = t.op("Gather", {lengths, sizes::scalar(t, static_cast<std::int64_t>(i))}, {{"axis", 0}});
    value = product_along(t, value, axes[i], rank, pillow_weights(t, from, to, cubic, op.cube_coeff));
  }
  return Outputs{given == ElementType::f32 ? value : t.cast(value, given)};
}

Expected<Outputs> interpolate11(Translation& t) {
  const auto& op = *t.node.as<ops::v11::Interpolate>();
  using Mode = ops::reference::InterpolateMode;
  const bool is_filter = op.mode == Mode::bilinear_pillow || op.mode == Mode::bicubic_pillow;
  const bool gives_sizes = op.shape_calculation_mode == ops::InterpolateShapeMode::sizes;
  if (is_filter && gives_sizes && !has_pads(op.pads_begin) && !has_pads(op.pads_end)) {
    MO_ASSIGN(const std::vector<std::int64_t> axes, resized_axes(t, 2));
    const PartialShape& from = t.node.input_type(0).shape;
    const PartialShape& to = t.node.output_type().shape;
    const bool is_known = std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
      const auto a = static_cast<std::size_t>(axis);
      return from.has_rank() && to.has_rank() && from[a].is_known() && to[a].is_known();
    });
    if (!is_known) return resize_by_computed_weights(t, op, axes);
  }
  const char* mode = nullptr;
  if (op.mode < Mode::bilinear_pillow)
    mode = op.mode == Mode::nearest ? "nearest" : op.mode == Mode::cubic ? "cubic" : "linear";
  return resize(t, op, mode, 1, 1, 2);
}

/// As runtimes bring the class to opset4. Linear has the corners at the corners when it is told so; nearest takes the
/// next element when it shrinks, which Resize says only where no axis shrinks.
Expected<Outputs> interpolate0(Translation& t) {
  const auto& op = *t.node.as<ops::v0::Interpolate>();
  using Mode = ops::v0::InterpolateMode;
  if (op.mode == Mode::area) return t.refused("the mode area");
  MO_ASSIGN(const std::int64_t rank, t.rank());
  resampling::Parameters parameters;
  for (const std::int64_t axis : op.axes) parameters.axes.push_back(axis < 0 ? axis + rank : axis);
  set_pads(t, op.pads_begin, op.pads_end, parameters);
  set_scales(t, parameters);
  const bool is_nearest = op.mode == Mode::nearest;
  if (op.mode == Mode::linear) parameters.mode = rank < 5 ? resampling::Mode::linear_onnx : resampling::Mode::linear;
  if (op.mode == Mode::cubic) parameters.mode = resampling::Mode::cubic;
  parameters.antialias = op.antialias;
  parameters.nearest = ops::InterpolateNearestMode::simple;
  const bool is_padded = has_pads(op.pads_begin) || has_pads(op.pads_end);
  const bool is_image = rank == 4 && parameters.axes == std::vector<std::int64_t>{2, 3};
  parameters.coordinates = ops::InterpolateCoordinateMode::asymmetric;
  if (op.align_corners)
    parameters.coordinates = ops::InterpolateCoordinateMode::align_corners;
  else if (op.mode == Mode::linear && !is_padded && !is_image)
    parameters.coordinates = ops::InterpolateCoordinateMode::half_pixel;
  // A nearest element of a growing axis is the one before the coordinate.
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  const bool may_shrink = std::any_of(parameters.axes.begin(), parameters.axes.end(), [&](std::int64_t axis) {
    const auto a = static_cast<std::size_t>(axis);
    return !to.has_rank() || !from[a].is_known() || !to[a].is_known() || to[a].value() < from[a].value();
  });
  const bool needs_weights = is_padded || op.antialias || op.mode == Mode::cubic || (is_nearest && may_shrink) ||
                             parameters.coordinates == ops::InterpolateCoordinateMode::half_pixel;
  if (needs_weights && resampling::changed_axes(t, parameters)) return resampling::resampled(t, parameters, "its mode");
  if (is_padded || op.antialias || op.mode == Mode::cubic)
    return t.refused("pads, antialiasing or cubic with unknown sizes");
  AttributeMap attributes{{"mode", is_nearest ? "nearest" : "linear"}};
  const char* coordinates = "asymmetric";
  if (op.align_corners) coordinates = "align_corners";
  if (parameters.coordinates == ops::InterpolateCoordinateMode::half_pixel) coordinates = "half_pixel";
  attributes.set("coordinate_transformation_mode", coordinates);
  if (is_nearest) attributes.set("nearest_mode", "floor");
  const Value none = t.opset < 13 ? t.constant(*from_reals(ElementType::f32, {0}, {})) : Value();
  const Value lengths = all_lengths(t, parameters.axes, 1, rank);
  return Outputs{t.op("Resize", {t.input(0), none, none, lengths}, std::move(attributes))};
}

}  // namespace

void register_interpolate(OnnxForms& table) {
  table.add<ops::v0::Interpolate>(interpolate0);
  table.add<ops::v4::Interpolate>(interpolate4);
  table.add<ops::v11::Interpolate>(interpolate11);
}

}  // namespace mo::onnx_emitter
