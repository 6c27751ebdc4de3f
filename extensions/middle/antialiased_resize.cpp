#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/build/axis_resampling.hpp"
#include "ops/interpolate.hpp"

namespace mo::middle {
namespace {

using ops::reference::InterpolateMode;

/// Runtimes from 2023.3 to 2026.4 take Pillow's own coefficient whatever cube_coeff says.
bool is_computed_right(const ops::v11::Interpolate& op) { return op.mode != InterpolateMode::bicubic_pillow || op.cube_coeff == -0.5; }

/// The filters of Pillow axis by axis; they are stretched by the factor and leave out elements outside of the data.
Replacement axis_by_axis(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v11::Interpolate>();
  if (op.mode != InterpolateMode::bilinear_pillow && op.mode != InterpolateMode::bicubic_pillow) return Replacement::declined();
  const auto axes = node.input(2) ? integers_of(node.input(2)) : std::nullopt;
  const auto pads = [](std::int64_t pad) { return pad != 0; };
  if (!axes || std::any_of(op.pads_begin.begin(), op.pads_begin.end(), pads) || std::any_of(op.pads_end.begin(), op.pads_end.end(), pads))
    return declined("the axes are not known, or it pads");
  const build::Resampling how{.mode = op.mode == InterpolateMode::bilinear_pillow ? "linear" : "cubic",
                              .coordinates = "half_pixel",
                              .cubic_coeff = op.cube_coeff,
                              .exclude_outside = true,
                              .antialias = true};
  const bool are_sizes = op.shape_calculation_mode == ops::InterpolateShapeMode::sizes;
  const Value x = node.input(0);
  const Value numbers = build::as_type(rw, node.input(1), are_sizes ? ElementType::i64 : ElementType::f32);
  std::vector<build::ResampledAxis> resized;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const Value number = build::slice_along(rw, numbers, 0, at, at + 1);
    resized.push_back(are_sizes ? build::axis_with_length(rw, x, (*axes)[i], number) : build::axis_with_factor(rw, x, (*axes)[i], number));
  }
  return build::resampled(rw, x, how, resized);
}

}  // namespace

/// Interpolate-11 with a filter of Pillow -> plain arithmetic, for targets that do not read op set 11 or compute something else.
void register_antialiased_resize(PassRegistry& passes) {
  const Pat resize = pattern::op<ops::v11::Interpolate>();
  passes.add(rewrite("AntialiasedResize")
                 .run_before({"ResizeRounding"})
                 .match(resize)
                 .replace([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
                   const Node node = m.root().node();
                   if (context.settings.newest_op_set() >= 11 && is_computed_right(*node.as<ops::v11::Interpolate>()))
                     return declined("the target has the filter");
                   return axis_by_axis(node, rw);
                 }));
}

}  // namespace mo::middle
