#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {
namespace {

struct SliceToStridedSliceSettings {
  bool use_shapes = true;  ///< bounds that are known because shapes are known become constants
  static constexpr auto attributes = Attributes{attr("use_shapes", &SliceToStridedSliceSettings::use_shapes)};
};

/// What is known of a bound, as a constant.
Value known_constant(Rewriter& rw, const Value& bound, bool use_shapes) {
  const Tensor* const value = bound.data().value();
  return use_shapes && value && !bound.node().is<Const>() ? rw.constant(*value) : bound;
}

/// Counted from the front; nothing when one is negative and the rank unknown.
std::optional<std::vector<std::int64_t>> axes_of(const Node& slice, bool use_shapes) {
  std::vector<std::int64_t> axes;
  if (const Value given = slice.input(4)) {
    const auto numbers = use_shapes ? integers_of(given) : constant_integers_of(given);
    if (!numbers) return std::nullopt;
    axes = *numbers;
  } else {
    const PartialShape& starts = slice.input_type(1).shape;
    if (starts.rank() != 1 || !starts[0].is_known()) return std::nullopt;
    axes.resize(static_cast<std::size_t>(starts[0].value()));
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
  }
  const auto rank = slice.input_type(0).rank();
  for (std::int64_t& axis : axes) {
    if (axis >= 0) continue;
    if (!rank || axis < -*rank) return std::nullopt;
    axis += *rank;
  }
  return axes;
}

/// `given` at the places `axes` of a list of `count`, `blank` elsewhere; `given` itself when it is that list.
Value spread(Rewriter& rw, const Value& given, const std::vector<std::int64_t>& axes, std::int64_t count,
             std::int64_t blank) {
  bool in_order = static_cast<std::int64_t>(axes.size()) == count;
  for (std::size_t i = 0; i < axes.size(); ++i) in_order = in_order && axes[i] == static_cast<std::int64_t>(i);
  if (in_order) return given;
  auto blanks = from_integers(given.type().element_type, {count},
                              std::vector<std::int64_t>(static_cast<std::size_t>(count), blank));
  if (!blanks) {
    rw.fail(std::move(blanks).error());
    return given;
  }
  return rw.fold(ops::ScatterUpdate{}, rw.constant(*std::move(blanks)), rw.integers(axes), given,
                 rw.constant(Tensor::vector<std::int32_t>({0})));
}

/// Backwards, a stop before the first element means "to the end", which a StridedSlice says by ignoring the bound.
void ignore_stops_before_the_front(ops::StridedSlice& slice, const Node& node, const std::vector<std::int64_t>& axes) {
  const auto stops = integers_of(node.input(2));
  const auto steps = integers_of(node.input(3));
  if (!stops || !steps || stops->size() != axes.size() || steps->size() != axes.size()) return;
  const PartialShape& shape = node.input_type(0).shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    if ((*steps)[i] < 0 && shape.has_rank() && shape[axis].is_known() && (*stops)[i] < -shape[axis].value())
      slice.end_mask[axis] = 1;
  }
}

}  // namespace

void register_slice_to_strided_slice(PassRegistry& passes) {
  const Pat slice = pattern::op<ops::Slice>();
  passes.offer(rewrite("SliceToStridedSlice")
                   .described("Slice(x, start, stop, step, axes)", "StridedSlice(x, start, stop, step) with masks",
                              "known axes; negative ones of a known rank")
                   .settings<SliceToStridedSliceSettings>()
                   .match(slice)
                   .replace([=](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
                     const bool use_shapes = context.settings.get<SliceToStridedSliceSettings>().use_shapes;
                     const Node node = m.node(slice);
                     const auto axes = axes_of(node, use_shapes);
                     if (!axes || axes->empty()) return declined("the axes are unknown");
                     const std::int64_t count = *std::max_element(axes->begin(), axes->end()) + 1;
                     if (const auto rank = node.input_type(0).rank(); rank && count > *rank)
                       return declined("an axis is outside");
                     ops::StridedSlice made;
                     made.begin_mask.assign(static_cast<std::size_t>(count), 1);
                     for (const std::int64_t axis : *axes) made.begin_mask[static_cast<std::size_t>(axis)] = 0;
                     made.end_mask = made.begin_mask;
                     ignore_stops_before_the_front(made, node, *axes);
                     const auto bound = [&](std::size_t i, std::int64_t blank) {
                       return spread(rw, known_constant(rw, node.input(i), use_shapes), *axes, count, blank);
                     };
                     const Value start = bound(1, 0);
                     const Value stop = bound(2, 0);
                     return rw.create(std::move(made), node.input(0), start, stop, bound(3, 1));
                   }));
}

}  // namespace mo::transformations
