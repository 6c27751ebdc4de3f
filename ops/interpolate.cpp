#include "ops/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/op/define_op.hpp"
#include "ops/support/image_axes.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

bool is_resizable_type(ElementType type) { return is_real(type) || (is_integral(type) && bit_width(type) >= 8); }

bool is_length_type(ElementType type) {
  return type == ElementType::i32 || type == ElementType::i64 || type == ElementType::u32 || type == ElementType::u64;
}

/// What the three classes have in common, with the places of their inputs.
struct ResizeInputs {
  const std::vector<std::int64_t>& pads_begin;
  const std::vector<std::int64_t>& pads_end;
  std::optional<std::vector<std::int64_t>> axes;  ///< when known
  std::optional<std::size_t> sizes;               ///< input of the lengths, or …
  std::optional<std::size_t> scales;              ///< … of the factors
};

std::int64_t resize_pad(const std::vector<std::int64_t>& pads, std::size_t i) { return i < pads.size() ? pads[i] : 0; }

Expected<void> check_resize_pads(const InferContext& ctx, const std::vector<std::int64_t>& pads, std::size_t rank) {
  constexpr std::int64_t kLargestPad = std::int64_t{1} << 40;
  for (const std::int64_t pad : pads)
    if (pad < 0 || pad > kLargestPad)
      return ctx.error("MO-OPS-0400", "a padding of {} is not possible", pad)
          .hint("pads_begin and pads_end count elements, so they start at 0");
  for (std::size_t i = rank; i < pads.size(); ++i)
    if (pads[i] != 0)
      return ctx.error("MO-OPS-0400", "{} paddings are given for a rank of {}", pads.size(), rank)
          .hint("give one padding for each dimension, or fewer");
  return {};
}

/// floor(length * scale); the small addend undoes the rounding of factors such as 5/3 (as the Model Optimizer did).
Expected<std::int64_t> scaled_length(const InferContext& ctx, std::int64_t length, double scale) {
  if (length == Dimension::kNoLimit) return length;
  const double result = std::floor(static_cast<double>(length) * scale + 1.0e-5);
  if (!(scale > 0) || !(result < 9.0e15))
    return ctx.error("MO-OPS-0402", "a length of {} cannot be scaled by {}", length, scale)
        .hint("scales are above 0 and give lengths that fit in memory");
  return static_cast<std::int64_t>(result);
}

Expected<void> expect_one_per_axis(const InferContext& ctx, std::string_view what, std::size_t got, std::size_t axes) {
  if (got >= axes) return {};
  return ctx.error("MO-OPS-0401", "{} {} are given for {} axes", got, what, axes)
      .hint("give one of them for each axis");
}

Expected<void> infer_resize(InferContext& ctx, ResizeInputs resize) {
  MO_TRY(expect_element_type(ctx, 0, is_resizable_type, "a number of at least 8 bits"));
  const TensorType& data = ctx.input(0);
  if (!data.rank()) {
    ctx.output(0, data);
    return {};
  }
  const std::size_t rank = data.shape.size();
  MO_TRY(check_resize_pads(ctx, resize.pads_begin, rank));
  MO_TRY(check_resize_pads(ctx, resize.pads_end, rank));
  if (!resize.axes) {
    ctx.output(0, data.element_type, PartialShape::of_rank(rank));
    return {};
  }
  MO_ASSIGN(const std::vector<std::int64_t> axes, normalize_axes(ctx, *resize.axes, static_cast<std::int64_t>(rank)));
  PartialShape shape = data.shape;
  for (std::size_t i = 0; i < rank; ++i)
    shape[i] = shape[i] + Dimension(resize_pad(resize.pads_begin, i) + resize_pad(resize.pads_end, i));
  const PartialShape padded = shape;

  if (resize.sizes) {
    const auto sizes = ctx.partial(*resize.sizes);
    if (sizes) MO_TRY(expect_one_per_axis(ctx, "sizes", sizes->elements.size(), axes.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const Dimension size = sizes ? sizes->elements[i] : Dimension();
      if (size.is_known() && size.value() < 0)
        return ctx.error("MO-OPS-0005", "size {} of axis {} is negative", size.value(), axes[i]);
      shape[static_cast<std::size_t>(axes[i])] = size;
    }
  } else {
    const auto scales = ctx.reals(*resize.scales);
    if (scales) MO_TRY(expect_one_per_axis(ctx, "scales", scales->size(), axes.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Dimension& d = shape[static_cast<std::size_t>(axes[i])];
      if (!scales) {
        d = Dimension();
      } else if ((*scales)[i] != 1.0) {
        MO_ASSIGN(const std::int64_t low, scaled_length(ctx, d.min(), (*scales)[i]));
        MO_ASSIGN(const std::int64_t high, scaled_length(ctx, d.max(), (*scales)[i]));
        d = Dimension(low, high);
      }
    }
  }
  for (const std::int64_t axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    if (padded[a] == Dimension(0) && shape[a].min() > 0)
      return ctx.error("MO-OPS-0403", "axis {} is empty and cannot become {}", axis, shape[a].to_string())
          .hint("check --input_shape");
  }
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

/// Axes of an optional input: all when it is absent.
std::optional<std::vector<std::int64_t>> axes_of_input(const InferContext& ctx, std::size_t i) {
  if (ctx.has_input(i)) return ctx.integers(i);
  std::vector<std::int64_t> all(ctx.input(0).rank().value_or(0));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Expected<std::vector<std::int64_t>> axes_to_evaluate(const EvalContext& ctx, std::size_t i) {
  const std::int64_t rank = ctx.input(0).rank();
  std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (!ctx.has_input(i)) return axes;
  MO_ASSIGN(axes, ctx.integers(i));
  for (std::int64_t& axis : axes) axis = *mo::normalize_axis(axis, rank);  // inference has checked them
  return axes;
}

void set_resize_pads(const EvalContext& ctx, const std::vector<std::int64_t>& begin,
                     const std::vector<std::int64_t>& end, reference::InterpolateParameters& parameters) {
  for (std::size_t i = 0; i < ctx.input(0).shape().size(); ++i) {
    parameters.pads_begin.push_back(resize_pad(begin, i));
    parameters.pads_end.push_back(resize_pad(end, i));
  }
}

/// Factors that follow from the lengths.
void set_scales_from_shapes(EvalContext& ctx, reference::InterpolateParameters& parameters) {
  for (const std::int64_t axis : parameters.axes) {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t padded = ctx.input(0).shape()[a] + parameters.pads_begin[a] + parameters.pads_end[a];
    parameters.scales.push_back(
        padded == 0 ? 1.0F : static_cast<float>(ctx.output(0).shape()[a]) / static_cast<float>(padded));
  }
}

/// The part of `evaluate` that the classes 4 and 11 share.
template <class Interpolate>
Expected<void> evaluate_resize(const Interpolate& op, EvalContext& ctx, std::size_t scales_input,
                               std::size_t axes_input) {
  reference::InterpolateParameters parameters;
  parameters.mode = static_cast<reference::InterpolateMode>(op.mode);  // the modes of opset4 are the first of opset11
  parameters.coordinates = op.coordinate_transformation_mode;
  parameters.nearest = op.nearest_mode;
  parameters.antialias = op.antialias;
  parameters.cube_coeff = op.cube_coeff;
  set_resize_pads(ctx, op.pads_begin, op.pads_end, parameters);
  MO_ASSIGN(parameters.axes, axes_to_evaluate(ctx, axes_input));
  if (op.shape_calculation_mode == InterpolateShapeMode::sizes) {
    set_scales_from_shapes(ctx, parameters);
  } else {
    MO_ASSIGN(const std::vector<double> scales, ctx.reals(scales_input));
    for (std::size_t i = 0; i < parameters.axes.size(); ++i) parameters.scales.push_back(static_cast<float>(scales[i]));
  }
  return reference::interpolate(ctx.input(0), ctx.output(0), parameters);
}

}  // namespace

Expected<void> v0::Interpolate::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 1, is_integral, "an integer type"));
  return infer_resize(ctx, {pads_begin, pads_end, axes, 1, std::nullopt});
}

Expected<void> v0::Interpolate::evaluate(EvalContext& ctx) const {
  if (mode == InterpolateMode::area)
    return ctx.error("MO-OPS-0404", "mode area cannot be evaluated")
        .hint("run the model in a runtime, or use mode linear with antialias");
  const std::int64_t rank = ctx.input(0).rank();
  const bool padded = std::any_of(pads_begin.begin(), pads_begin.end(), [](std::int64_t p) { return p != 0; }) ||
                      std::any_of(pads_end.begin(), pads_end.end(), [](std::int64_t p) { return p != 0; });
  reference::InterpolateParameters parameters;
  set_resize_pads(ctx, pads_begin, pads_end, parameters);
  for (const std::int64_t axis : axes) parameters.axes.push_back(*mo::normalize_axis(axis, rank));
  set_scales_from_shapes(ctx, parameters);
  // How runtimes bring opset1 to opset4.
  if (mode == InterpolateMode::linear)
    parameters.mode = rank < 5 ? reference::InterpolateMode::linear_onnx : reference::InterpolateMode::linear;
  if (mode == InterpolateMode::cubic) parameters.mode = reference::InterpolateMode::cubic;
  parameters.antialias = antialias;
  parameters.nearest = InterpolateNearestMode::simple;
  parameters.coordinates = InterpolateCoordinateMode::asymmetric;
  if (align_corners)
    parameters.coordinates = InterpolateCoordinateMode::align_corners;
  else if (mode == InterpolateMode::linear && !padded &&
           !(rank == 4 && parameters.axes == std::vector<std::int64_t>{2, 3}))
    parameters.coordinates = InterpolateCoordinateMode::half_pixel;
  return reference::interpolate(ctx.input(0), ctx.output(0), parameters);
}

Expected<void> v4::Interpolate::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3, 4));
  MO_TRY(expect_element_type(ctx, 1, is_length_type, "i32, i64, u32 or u64"));
  MO_TRY(expect_element_type(ctx, 2, is_real, "a real type"));
  MO_TRY(expect_element_type(ctx, 3, is_length_type, "i32, i64, u32 or u64"));
  const bool sizes = shape_calculation_mode == InterpolateShapeMode::sizes;
  return infer_resize(
      ctx, {pads_begin, pads_end, axes_of_input(ctx, 3), sizes ? std::optional<std::size_t>(1) : std::nullopt, 2});
}

Expected<void> v4::Interpolate::evaluate(EvalContext& ctx) const { return evaluate_resize(*this, ctx, 2, 3); }

Expected<void> v11::Interpolate::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  const bool sizes = shape_calculation_mode == InterpolateShapeMode::sizes;
  if (sizes)
    MO_TRY(expect_element_type(ctx, 1, is_integral, "an integer type"));
  else
    MO_TRY(expect_element_type(ctx, 1, is_real, "a real type"));
  const auto known_axes = axes_of_input(ctx, 2);
  if (mode >= reference::InterpolateMode::bilinear_pillow && known_axes && ctx.input(0).rank() &&
      known_axes->size() != 2)
    return ctx
        .error("MO-OPS-0405", "mode {} resizes two axes, not {}", names_of(mode)[static_cast<std::size_t>(mode)],
               known_axes->size())
        .hint("give the axes of height and width in input 2");
  return infer_resize(ctx, {pads_begin, pads_end, known_axes, sizes ? std::optional<std::size_t>(1) : std::nullopt, 1});
}

Expected<void> v11::Interpolate::evaluate(EvalContext& ctx) const { return evaluate_resize(*this, ctx, 1, 2); }

LayoutNeed v0::Interpolate::layout_need(const InferContext& ctx) const {
  // Without align_corners, what linear means depends on which axes these are (see evaluate).
  return mode == InterpolateMode::linear && !align_corners ? LayoutNeed::original : need_of_image_axes(ctx, axes);
}
LayoutNeed v4::Interpolate::layout_need(const InferContext& ctx) const {
  return need_of_image_axes(ctx, ctx.integers(3));
}
LayoutNeed v11::Interpolate::layout_need(const InferContext& ctx) const {
  return need_of_image_axes(ctx, ctx.integers(2));
}

void register_interpolate(OpRegistry& registry) {
  registry.add<v0::Interpolate>();
  registry.add<v4::Interpolate>();
  registry.add<v11::Interpolate>();
}

}  // namespace mo::ops
