#include "ops/interpolate.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The axes that are resized, where they are an input.
Expected<std::vector<std::int64_t>> resized_axes(Translation& t, std::size_t input) {
  if (t.node.in_port_count() > input && t.node.input(input)) return t.axes(input);
  MO_ASSIGN(const std::int64_t rank, t.rank());
  std::vector<std::int64_t> all;
  for (std::int64_t axis = 0; axis < rank; ++axis) all.push_back(axis);
  return all;
}

/// Lengths for all dimensions: those of the data where nothing is resized. `known`: of the result, where they are
/// constants of the model; otherwise `given` has the lengths of `axes`.
Value all_lengths(Translation& t, const std::vector<std::int64_t>& axes, std::size_t given, std::int64_t rank) {
  std::vector<std::int64_t> parts;
  if (const auto lengths = integers_of(t.node.input(given))) {
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
  std::vector<std::int64_t> places(axes.begin(), axes.end());
  return t.op("ScatterElements", {shape, t.integers(places), t.input_vector(given)}, {{"axis", 0}});
}

/// Factors for all dimensions: 1 where nothing is resized.
Value all_factors(Translation& t, const std::vector<std::int64_t>& axes, std::size_t given, std::int64_t rank) {
  std::vector<double> all(static_cast<std::size_t>(rank), 1.0);
  const auto factors = reals_of(t.node.input(given));
  for (std::size_t i = 0; factors && i < axes.size(); ++i) all[static_cast<std::size_t>(axes[i])] = (*factors)[i];
  const Value constants = t.constant(*from_reals(ElementType::f32, {rank}, all));
  if (factors) return constants;
  Value computed = t.input(given);
  if (t.node.input_type(given).element_type != ElementType::f32) computed = t.cast(computed, ElementType::f32);
  return t.op("ScatterElements", {constants, t.integers(axes), computed}, {{"axis", 0}});
}

template <class Settings>
Expected<Outputs> resize(Translation& t, const Settings& op, const char* mode, std::size_t lengths, std::size_t factors,
                         std::size_t axes_input) {
  using Coordinates = ops::InterpolateCoordinateMode;
  using Nearest = ops::InterpolateNearestMode;
  const auto has_pads = [](const std::vector<std::int64_t>& pads) {
    return std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; });
  };
  if (has_pads(op.pads_begin) || has_pads(op.pads_end)) return t.refused("pads");
  if (op.antialias && t.opset < 18) return t.needs_opset(18);
  MO_ASSIGN(const std::int64_t rank, t.rank());
  MO_ASSIGN(const std::vector<std::int64_t> axes, resized_axes(t, axes_input));
  const bool is_nearest = std::string_view(mode) == "nearest";
  AttributeMap attributes{{"mode", mode}};
  if (op.antialias) attributes.set("antialias", 1);
  switch (op.coordinate_transformation_mode) {
    case Coordinates::half_pixel: attributes.set("coordinate_transformation_mode", "half_pixel"); break;
    case Coordinates::pytorch_half_pixel: attributes.set("coordinate_transformation_mode", "pytorch_half_pixel"); break;
    case Coordinates::asymmetric: attributes.set("coordinate_transformation_mode", "asymmetric"); break;
    case Coordinates::align_corners: attributes.set("coordinate_transformation_mode", "align_corners"); break;
    case Coordinates::tf_half_pixel_for_nn:
      if (t.opset >= 13) return t.refused("coordinate_transformation_mode tf_half_pixel_for_nn, which op set 12 had");
      attributes.set("coordinate_transformation_mode", "tf_half_pixel_for_nn");
      break;
  }
  if (is_nearest) switch (op.nearest_mode) {
      case Nearest::round_prefer_floor: attributes.set("nearest_mode", "round_prefer_floor"); break;
      case Nearest::round_prefer_ceil: attributes.set("nearest_mode", "round_prefer_ceil"); break;
      case Nearest::floor: attributes.set("nearest_mode", "floor"); break;
      case Nearest::ceil: attributes.set("nearest_mode", "ceil"); break;
      case Nearest::simple: return t.refused("nearest_mode simple");
    }
  if (std::string_view(mode) == "cubic") attributes.set("cubic_coeff_a", op.cube_coeff);
  // Op set 11 takes no absent inputs here.
  const Value none = t.opset < 13 ? t.constant(*from_reals(ElementType::f32, {0}, {})) : Value();
  std::vector<Value> inputs{t.input(0), none};
  if (op.shape_calculation_mode == ops::InterpolateShapeMode::scales) {
    inputs.push_back(all_factors(t, axes, factors, rank));
  } else {
    inputs.push_back(none);
    inputs.push_back(all_lengths(t, axes, lengths, rank));
  }
  return Outputs{t.op("Resize", std::move(inputs), std::move(attributes))};
}

Expected<Outputs> interpolate4(Translation& t) {
  const auto& op = *t.node.as<ops::v4::Interpolate>();
  using Mode = ops::v4::InterpolateMode;
  const char* const mode = op.mode == Mode::nearest ? "nearest" : op.mode == Mode::cubic ? "cubic" : "linear";
  return resize(t, op, mode, 1, 2, 3);
}

Expected<Outputs> interpolate11(Translation& t) {
  const auto& op = *t.node.as<ops::v11::Interpolate>();
  using Mode = ops::reference::InterpolateMode;
  if (op.mode == Mode::bilinear_pillow || op.mode == Mode::bicubic_pillow) return t.refused("the filters of Pillow");
  const char* const mode = op.mode == Mode::nearest ? "nearest" : op.mode == Mode::cubic ? "cubic" : "linear";
  return resize(t, op, mode, 1, 1, 2);
}

/// Nearest takes the floor of coordinates without an offset, linear has the corners at the corners when it is told so.
Expected<Outputs> interpolate0(Translation& t) {
  const auto& op = *t.node.as<ops::v0::Interpolate>();
  using Mode = ops::v0::InterpolateMode;
  if (op.mode != Mode::nearest && op.mode != Mode::linear) return t.refused("modes other than nearest and linear");
  if (op.antialias) return t.refused("antialias");
  MO_ASSIGN(const std::int64_t rank, t.rank());
  AttributeMap attributes{{"mode", op.mode == Mode::nearest ? "nearest" : "linear"}};
  attributes.set("coordinate_transformation_mode", op.align_corners ? "align_corners" : "asymmetric");
  if (op.mode == Mode::nearest) attributes.set("nearest_mode", "floor");
  const Value none = t.opset < 13 ? t.constant(*from_reals(ElementType::f32, {0}, {})) : Value();
  return Outputs{t.op("Resize", {t.input(0), none, none, all_lengths(t, op.axes, 1, rank)}, std::move(attributes))};
}

}  // namespace

void register_interpolate(TranslatorTable& table) {
  table.add<ops::v0::Interpolate>(interpolate0);
  table.add<ops::v4::Interpolate>(interpolate4);
  table.add<ops::v11::Interpolate>(interpolate11);
}

}  // namespace mo::onnx_emitter
