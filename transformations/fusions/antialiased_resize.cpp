#include <algorithm>
#include <array>
#include <numeric>

#include "core/graph/values.hpp"
#include "core/op/runtimes.hpp"
#include "core/rewrite.hpp"
#include "ops/build/axis_resampling.hpp"
#include "ops/build/lengths.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/interpolate.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/select.hpp"
#include "ops/top_k.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {
namespace {

using ops::reference::InterpolateMode;
using Places = std::vector<std::int64_t>;

constexpr std::int64_t kAxes = 2;  ///< that a filter of Pillow resizes, and no other number

Places counted(std::int64_t first, std::int64_t last) {
  Places places(static_cast<std::size_t>(std::max<std::int64_t>(last - first, 0)));
  std::iota(places.begin(), places.end(), first);
  return places;
}

/// The two axes, from the front where the rank is known; nothing when they are computed.
std::optional<Places> resized_axes(const Node& node) {
  const auto rank = node.input_type(0).rank();
  if (!node.input(2)) return rank ? std::optional(counted(0, *rank)) : std::nullopt;
  auto axes = integers_of(node.input(2));
  if (!axes || !rank) return axes;
  for (std::int64_t& axis : *axes) axis = normalize_axis(axis, *rank).value_or(axis);
  return axes;
}

/// Whether the target computes the filter, as probed from 2023.3 to 2026.4. Kernels are for two dimensions, and for
/// height and width of four; they take Pillow's own coefficient whatever cube_coeff says. Since 2025.4 there is the
/// definition for some of what has no kernel. It takes the first axis for the height, and reads outside of the data
/// where that is the larger one, so computed axes may be wrong.
bool is_computed_right(const Node& node, const std::optional<Places>& axes, std::string_view release) {
  if (!axes) return false;
  const auto& op = *node.as<ops::v11::Interpolate>();
  const bool is_own_coefficient = op.mode != InterpolateMode::bicubic_pillow || op.cube_coeff == -0.5;
  const auto rank = node.input_type(0).rank();
  if (!rank)
    return is_own_coefficient && std::none_of(axes->begin(), axes->end(), [](std::int64_t axis) { return axis < 0; });
  if (*rank == 2) return is_own_coefficient;
  const bool has_definition = !is_older(release, first_release::with_defined_antialiasing);
  if (*rank > 4) return has_definition && std::is_sorted(axes->begin(), axes->end());
  const bool is_last = std::is_permutation(axes->begin(), axes->end(), std::array{*rank - 2, *rank - 1}.begin());
  return is_own_coefficient && (*rank == 3 ? is_last && has_definition : is_last || *axes == Places{1, 2});
}

/// Pillow stores each pass as pixels: integers are rounded and limited to their type.
Value as_pixels(Rewriter& rw, const Value& x, ElementType type) {
  const Value whole = rw.create(ops::Round{.mode = ops::RoundMode::half_away_from_zero}, x);
  if (bit_width(type) > 16) return whole;
  const double count = static_cast<double>(std::int64_t{1} << bit_width(type));
  return rw.create(
      ops::Clamp{.min = is_signed(type) ? -count / 2 : 0, .max = (is_signed(type) ? count / 2 : count) - 1}, whole);
}

/// The filters of Pillow axis by axis; they are stretched by the factor and leave out elements outside of the data.
Value axis_by_axis(Rewriter& rw, const Node& node, const Value& x, const Places& axes) {
  const auto& op = *node.as<ops::v11::Interpolate>();
  const build::Resampling how{.mode = op.mode == InterpolateMode::bilinear_pillow ? "linear" : "cubic",
                              .coordinates = "half_pixel",
                              .cubic_coeff = op.cube_coeff,
                              .exclude_outside = true,
                              .antialias = true};
  const bool are_sizes = op.shape_calculation_mode == ops::InterpolateShapeMode::sizes;
  const Value numbers = build::as_type(rw, node.input(1), are_sizes ? ElementType::i64 : ElementType::f32);
  std::vector<build::ResampledAxis> resized;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const Value number = build::slice_along(rw, numbers, 0, at, at + 1);
    resized.push_back(are_sizes ? build::axis_with_length(rw, x, axes[i], number)
                                : build::axis_with_factor(rw, x, axes[i], number));
  }
  const ElementType type = node.output_type().element_type;
  if (!is_integral(type)) return build::resampled(rw, x, how, resized);
  Value pixels = build::as_type(rw, x, ElementType::f32);
  std::reverse(resized.begin(), resized.end());  // the last axis first, as Pillow does
  for (const build::ResampledAxis& axis : resized)
    pixels = as_pixels(rw, build::resampled(rw, pixels, how, {axis}), type);
  return build::as_type(rw, pixels, type);
}

/// The places of the numbers in ascending order.
Value sorted_places(Rewriter& rw, const Value& numbers, std::int64_t count) {
  const ops::TopK smallest{.axis = 0, .mode = ops::TopKMode::min, .index_element_type = ElementType::i64};
  return rw.create_node(smallest, {numbers, rw.scalar<std::int64_t>(count)}, 2).output(1);
}

/// Transpose that puts the axes last, the filters there, and a Transpose back.
Replacement along_computed_axes(Rewriter& rw, const Node& node) {
  const auto rank = node.input_type(0).rank();
  if (!rank || !node.input(2)) return declined("neither the axes nor the number of dimensions is known");
  Value axes = build::as_i64(rw, node.input(2));
  if (!axes.type().shape.is_static()) axes = rw.create(ops::Reshape{.special_zero = false}, axes, rw.integers({kAxes}));
  const Value is_from_back = rw.create(ops::Less{}, axes, rw.scalar<std::int64_t>(0));
  const Value from_front =
      rw.create(ops::Select{}, is_from_back, rw.create(ops::Add{}, axes, rw.scalar<std::int64_t>(*rank)), axes);
  // Each dimension has its place as a number, the axes have the next ones after all of these.
  const Value last = rw.integers(counted(*rank, *rank + kAxes));
  const Value numbers =
      rw.create(ops::ScatterUpdate{}, rw.integers(counted(0, *rank)), from_front, last, rw.scalar<std::int64_t>(0));
  const Value order = sorted_places(rw, numbers, *rank);
  const Value moved = rw.create(ops::Transpose{}, node.input(0), order);
  const Value resized = axis_by_axis(rw, node, moved, counted(*rank - kAxes, *rank));
  return rw.create(ops::Transpose{}, resized, sorted_places(rw, order, *rank));
}

bool pads(const ops::v11::Interpolate& op) {
  const auto is_pad = [](std::int64_t pad) { return pad != 0; };
  return std::any_of(op.pads_begin.begin(), op.pads_begin.end(), is_pad) ||
         std::any_of(op.pads_end.begin(), op.pads_end.end(), is_pad);
}

}  // namespace

/// Interpolate-11 with a filter of Pillow -> plain arithmetic, for targets that do not read op set 11, or do not
/// compute the filter along these axes.
void register_antialiased_resize(PassRegistry& passes) {
  const Pat resize = pattern::op<ops::v11::Interpolate>();
  passes.add(
      rewrite("AntialiasedResize")
          .run_before({"ResizeRounding"})
          .match(resize)
          .replace([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
            const Node node = m.root().node();
            const auto& op = *node.as<ops::v11::Interpolate>();
            if (op.mode != InterpolateMode::bilinear_pillow && op.mode != InterpolateMode::bicubic_pillow)
              return Replacement::declined();
            if (pads(op)) return declined("it pads");
            const auto axes = resized_axes(node);
            if (context.settings.newest_op_set() >= 11 && is_computed_right(node, axes, context.settings.release))
              return declined("the target has the filter");
            return axes ? Replacement(axis_by_axis(rw, node, node.input(0), *axes)) : along_computed_axes(rw, node);
          }));
}

}  // namespace mo::transformations
