#include <algorithm>
#include <cmath>

#include "ops/gather.hpp"
#include "ops/interpolate.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;
using Nearest = ops::InterpolateNearestMode;

/// An axis that is resized, both lengths known.
struct Resized {
  std::int64_t axis = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// The element nearest to numerator / denominator.
std::int64_t nearest(std::int64_t numerator, std::int64_t denominator, Nearest mode, bool shrinks) {
  const std::int64_t below = numerator / denominator;
  const std::int64_t rest = numerator % denominator;
  const bool is_ceil = mode == Nearest::ceil || (mode == Nearest::simple && shrinks);
  if (mode == Nearest::round_prefer_floor) return 2 * rest > denominator ? below + 1 : below;
  return is_ceil && rest > 0 ? below + 1 : below;
}

/// The same as the runtime computes it: the quotient of the lengths is rounded before it is multiplied.
std::int64_t rounded_nearest(std::int64_t i, const Resized& axis, Nearest mode) {
  const float place = static_cast<float>(i) * (static_cast<float>(axis.from - 1) / static_cast<float>(axis.to - 1));
  const bool is_ceil = mode == Nearest::ceil || (mode == Nearest::simple && axis.to < axis.from);
  const float found = mode == Nearest::round_prefer_floor ? std::ceil(place - 0.5F)
                      : is_ceil                           ? std::ceil(place)
                                                          : std::floor(place);
  return std::min(static_cast<std::int64_t>(found), axis.from - 1);
}

/// Which element of the data each element of the result is.
Integers indices_along(const Resized& axis, Nearest mode) {
  Integers indices;
  for (std::int64_t i = 0; i < axis.to; ++i)
    indices.push_back(axis.to == 1 ? 0 : nearest(i * (axis.from - 1), axis.to - 1, mode, axis.to < axis.from));
  return indices;
}

bool is_faulty_along(const Resized& axis, Nearest mode) {
  for (std::int64_t i = 0; i < axis.to && axis.to > 1; ++i)
    if (nearest(i * (axis.from - 1), axis.to - 1, mode, axis.to < axis.from) != rounded_nearest(i, axis, mode))
      return true;
  return false;
}

bool is_padded(const ops::v4::Interpolate& op) {
  for (const Integers* pads : {&op.pads_begin, &op.pads_end})
    for (const std::int64_t pad : *pads)
      if (pad != 0) return true;
  return false;
}

/// The axes whose lengths change; nothing when a length of those that the op resizes is not known.
std::optional<std::vector<Resized>> resized_axes(const Node& node) {
  const PartialShape& from = node.input_type(0).shape;
  const PartialShape& to = node.output_type().shape;
  const auto given = node.input(3) ? integers_of(node.input(3)) : Integers();
  if (!from.has_rank() || !to.has_rank() || !given) return std::nullopt;
  std::vector<Resized> made;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto is_this = [&](std::int64_t axis) {
      return normalize_axis(axis, static_cast<std::int64_t>(from.size())) == static_cast<std::int64_t>(i);
    };
    if (node.input(3) && std::none_of(given->begin(), given->end(), is_this)) continue;
    if (!from[i].is_known() || !to[i].is_known()) return std::nullopt;
    if (from[i] != to[i])
      made.push_back({.axis = static_cast<std::int64_t>(i), .from = from[i].value(), .to = to[i].value()});
  }
  return made;
}

/// Interpolate(x) -> Gather of the elements along each axis. TensorFlow rounds as the runtime does, and its
/// ResizeNearestNeighbor becomes round_prefer_ceil.
Replacement gathered(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v4::Interpolate>();
  if (op.mode != ops::v4::InterpolateMode::nearest ||
      op.coordinate_transformation_mode != ops::InterpolateCoordinateMode::align_corners)
    return declined("not the nearest elements between aligned corners");
  if (op.nearest_mode == Nearest::round_prefer_ceil) return declined("rounded as in TensorFlow");
  if (is_padded(op)) return declined("padded");
  const auto axes = resized_axes(node);
  if (!axes) return declined("a length is unknown");
  const auto is_faulty = [&](const Resized& axis) { return is_faulty_along(axis, op.nearest_mode); };
  if (std::none_of(axes->begin(), axes->end(), is_faulty)) return declined("no place is rounded to another element");
  Value x = node.input(0);
  for (const Resized& axis : *axes)
    x = rw.create(ops::v1::Gather{}, x, rw.integers(indices_along(axis, op.nearest_mode)), rw.scalar(axis.axis));
  return x;
}

}  // namespace

void register_aligned_nearest_elements(PassRegistry& passes) {
  passes.add(avoid_fault("AlignedNearestElements",
                         {.form = "Interpolate of nearest elements between aligned corners (floor, ceil, simple, "
                                  "round_prefer_floor), of known lengths whose quotient "
                                  "rounds a place to the other side of a limit: 8 to 24",
                          .symptom = "the element next to the right one",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Gather along each axis"})
                 .add(lowering<ops::v4::Interpolate>("Gathered", gathered)));
}

}  // namespace mo::transformations
